"""Corpora, recipes, metrics and export: everything that makes a model bundle. Needs torch."""
