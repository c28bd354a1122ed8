"""Stereotypical bias removal (Badjatiya et al. 2019): detecting and replacing biased words. See README.md."""
