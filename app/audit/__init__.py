"""The audit of a generator: how it leans, before and after calibration, measured in a child process."""
