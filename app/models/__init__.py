"""Models: the installed ones, preview, import and download, and the notice for missing models."""
