"""Debiasing of a generator: reinforced calibration (Liu et al. 2021), token reweighting, and baselines."""
