"""What the packaged program is made of."""
