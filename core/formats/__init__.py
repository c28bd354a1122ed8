"""Files that are more than their text (docx, odt, html): opened, edited and saved without touching the rest."""
