"""Spelling in the window: misspelled words are marked, corrected, added to the own words or ignored."""
