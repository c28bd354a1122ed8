"""The commands of the engine without a window: ``evenhand check``, ``rewrite``, ``models`` and ``train setup``."""
