"""Benchmarks of both packages; each file is run as a module."""
