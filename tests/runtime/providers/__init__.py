"""Tests of the adapters, each against a local server that speaks its wire format."""
