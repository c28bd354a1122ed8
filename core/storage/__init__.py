"""The store: what Evenhand remembers of drafts between two starts, in one SQLite file in the person's data folder.

The data is in ``core.storage.types``; ``core.storage.store.Store`` opens the file and is the only way to it.
"""
