"""The commands that need no window: ``evenhand check``, ``rewrite``, ``models`` and ``train setup``."""
