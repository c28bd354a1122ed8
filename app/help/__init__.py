"""Help: the tour, about, problems."""
