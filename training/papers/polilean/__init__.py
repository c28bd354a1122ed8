"""Reproduction of Feng et al. 2023: positions, partisan pre-training and downstream tables."""
