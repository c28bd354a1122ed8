"""Export: the report as HTML or PDF, charts as pictures."""
