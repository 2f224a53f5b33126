"""What would switch the gate off without a word: one module for each place to look at. Changes nothing."""
