"""Answers that are shown while they come: what may be shown, and its way to the reader. Calls are made elsewhere."""
