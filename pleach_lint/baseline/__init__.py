"""Findings that a project lives with for now: which they are, their file, and what is new or gone beside it."""
