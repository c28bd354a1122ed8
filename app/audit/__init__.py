"""The audit window: the bias of a generator before and after debiasing, and models on the political compass."""
