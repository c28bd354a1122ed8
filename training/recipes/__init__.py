"""Recipes: each makes one model bundle or one table from corpora."""
