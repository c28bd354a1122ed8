"""Going through findings: the card, the list, ignoring, rewording, sensitivity."""
