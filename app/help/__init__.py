"""Help: the tour, about, licences, problems."""
