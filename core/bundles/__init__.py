"""Model bundles: the folder that holds a model, its ``bundle.json``, and the checks before a model is run."""
