"""Highlighting of markup, line by line, for an editor that shows it."""
