"""Differences between texts: how they are drawn, shown side by side and summed up."""
