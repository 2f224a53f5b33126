"""The command `pleach-audit`, which looks into ledgers. What a ledger keeps and how is in `pleach_runtime.ledger`."""
