"""The small typed runtime that makes the seam discipline real."""
