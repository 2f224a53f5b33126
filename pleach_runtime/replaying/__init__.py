"""Replay: a recorded turn run again over its record, and told apart from it."""
