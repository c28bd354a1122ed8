"""Data on disk: atomic file writes, file locks, the journal of open drafts, and the store in one SQLite file."""
