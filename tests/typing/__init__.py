"""Tests of what type checkers accept and reject."""
