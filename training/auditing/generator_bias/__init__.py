"""Bias of a generator by gender, place and topic: metrics, the audit recipe, and known bias as its control."""
