"""Where a language model stands on the political compass, how stable that is, and what it does downstream (Feng 2023)."""
