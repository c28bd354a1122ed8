"""Classifiers of political ideology, learnt from articles rated by outlet, which score what a generator writes."""
