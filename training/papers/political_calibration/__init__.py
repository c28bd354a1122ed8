"""Reproduction of Liu et al. 2021: political bias of generators and reinforced calibration, Tables 5 to 7."""
