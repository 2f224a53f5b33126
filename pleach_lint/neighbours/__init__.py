"""The settings of the tools that run beside this linter, as far as they concern it. Changes none of them."""
