"""Bias sensitive words (Badjatiya et al. 2019): found, generalised, and what is left of the bias."""
