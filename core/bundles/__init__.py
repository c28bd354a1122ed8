"""Model bundles.

The folder that a model lives in, its ``bundle.json``, and the checks before anything of it is run.
"""
