"""The reader's recipe: auxiliary tasks, its own corpora, leaning head, thresholds, export, checks and card."""
