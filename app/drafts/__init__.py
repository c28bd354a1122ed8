"""A draft on its way from and to the disk: sessions, the journal, recovery, changes from outside, articles."""
