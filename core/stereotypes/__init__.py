"""Stereotyped words: what a reader makes of a word by itself, and of a sentence once the word is generalised."""
