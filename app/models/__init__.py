"""Models: the installed ones, previews, imports and downloads, and what to do where one is missing."""
