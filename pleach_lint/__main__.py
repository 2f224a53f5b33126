"""`python -m pleach_lint`."""

from __future__ import annotations

from pleach_lint.cli import main

if __name__ == "__main__":
    main()
