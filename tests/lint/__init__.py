"""Tests of the linter, one module for each of its own."""
