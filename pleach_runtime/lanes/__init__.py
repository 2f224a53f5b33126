"""How calls are carried out, by allotment: unbounded, bounded per turn, counted against slots. No class is spelled."""
