"""The settings page of training: models, training form and progress, run history, corrections."""
