"""Tests that run the installed programs: the command line, flake8, pre-commit."""
