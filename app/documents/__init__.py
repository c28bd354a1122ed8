"""A document on its way from and to the disk: sessions, journal, recovery, changes by other programs, edit locks."""
