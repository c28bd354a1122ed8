"""What a file holds beside its words, shown where it belongs in the text: notes and comments."""
