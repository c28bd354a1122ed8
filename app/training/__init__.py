"""The settings page of training: models, the training form and its run, run history, corrections."""
