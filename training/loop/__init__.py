"""The training loop, its batches, checkpoints and events, and the runs that recipes are recorded as."""
