"""Training runs as the store keeps them: what was asked, how it went, what came out.

The data is in ``core.runs.types``; ``core.runs.run_store.RunStore`` reads and writes it.
"""
