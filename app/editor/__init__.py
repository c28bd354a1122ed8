"""The text editor: the text, its marks and positions, the bias strip, and finding in it."""
