"""Debiasing of a generator while it generates: reinforced calibration (Liu et al. 2021), token reweighting, baselines.
"""
