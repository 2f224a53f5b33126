"""Tests of both packages."""
