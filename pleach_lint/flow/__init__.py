"""From syntax to values: what a name means, where a value comes from, and where it goes."""
