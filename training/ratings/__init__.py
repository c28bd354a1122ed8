"""Blinded rating sheets for the papers' human evaluations, and their scores: no machine can stand in for raters."""
