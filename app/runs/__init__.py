"""Runs of the trainer: processes and queries, progress, request form, run history with metrics and curves."""
