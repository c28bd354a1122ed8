"""How a generator leans, and how it is calibrated while it generates (Liu et al. 2021)."""
