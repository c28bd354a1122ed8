"""A report in every form in which it is given out: terminal, JSON, SARIF, a page."""
