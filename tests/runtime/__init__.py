"""Tests of the runtime; they mirror the package."""
