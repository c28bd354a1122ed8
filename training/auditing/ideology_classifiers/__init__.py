"""Classifiers of political ideology, trained on articles labelled by publisher; they score the texts of a generator."""
