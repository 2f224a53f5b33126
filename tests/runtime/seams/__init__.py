"""Tests of seams."""
