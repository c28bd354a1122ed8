"""The words of a draft as the model reads each alone, and what a more general one would change."""
