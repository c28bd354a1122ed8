"""A language model on the political compass: where it stands, how stable that is, what it does downstream."""
