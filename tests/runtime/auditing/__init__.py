"""Tests of the command `pleach-audit`."""
