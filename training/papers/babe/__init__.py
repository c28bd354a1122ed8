"""BABE (Spinde et al. 2021): annotation tables, and classifiers of biased sentences. See README.md."""
