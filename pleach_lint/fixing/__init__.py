"""Fixes put into texts and files, round after round until nothing is left to fix. Makes no fix, prints nothing."""
