"""Audits of language models: generator bias and debiasing, the political compass, ideology classifiers."""
