"""A language model on the political compass: its position, how stable that is, and detectors trained on it."""
