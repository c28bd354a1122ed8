"""Files that are more than their text: docx, odt and html, opened and saved without touching the rest."""
