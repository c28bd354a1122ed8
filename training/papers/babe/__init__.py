"""BABE's experiments (Spinde et al. 2021, section 5): folds, a feature baseline, sentence classifiers, pre-training."""
