"""Tracked changes and comments of Word documents: written, accepted, rejected."""
