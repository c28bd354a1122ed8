"""Parts that every room of the window uses: theme, icons, labels, bars, the executor."""
