"""Other wordings: a model proposes words for a flagged stretch, the engine reads them again, guards hold."""
