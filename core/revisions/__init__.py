"""Tracked changes and comments of Word and OpenDocument files: written, accepted, rejected."""
