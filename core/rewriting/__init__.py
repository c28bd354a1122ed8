"""Suggestions: a model proposes words in place of those of a finding, the engine reads them again, guards hold."""
