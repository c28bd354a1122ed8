"""What a person may choose: the table of settings, its dialog, keys and the palette."""
