"""Spelling: dictionaries of this computer, the words of a draft to look up in them, and a person's own words."""
