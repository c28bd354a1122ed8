"""The model registry.

Bundled, trained and imported models, which of them are in use, and the ways from one to another.
"""
