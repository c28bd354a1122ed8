"""Runs of the trainer: start and watch a child process, its progress, the history of runs and their results."""
