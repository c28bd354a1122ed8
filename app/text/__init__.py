"""The text pane: the text, its marks, what may be edited in it, and finding in it."""
