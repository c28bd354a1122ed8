"""Help: the tour, the problem report, and the dialogs of the Help menu."""
