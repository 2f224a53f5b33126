"""Tests of what a ledger does beside its contract: crashes, guards, roles, connections."""
