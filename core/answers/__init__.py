"""A reviewed copy that comes back: the comments in it, and what was answered to the findings."""
