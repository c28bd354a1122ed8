"""The training room: models, retraining, runs and corrections, on the settings page "models"."""
