"""Tests of streamed answers."""
