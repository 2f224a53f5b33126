"""Tests of nodes and graphs."""
