"""Tables: each prints one table of results, cell by cell, and goes on where it stopped."""
