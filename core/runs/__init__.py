"""Training runs as the store keeps them: what was asked, how it went, what came out.

The data is in ``core.runs.model``; ``core.runs.runs.Runs`` reads and writes it.
"""
