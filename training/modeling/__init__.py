"""Networks and the weights that they start from."""
