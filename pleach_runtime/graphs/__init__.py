"""Nodes that say which class they call, and small graphs of them. How a call is carried out is the seam's."""
