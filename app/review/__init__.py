"""Reviewing findings: the card, the list, ignoring, applying suggestions, the guided review, sensitivity."""
