"""The commands of the window: their table, shortcuts and palette."""
