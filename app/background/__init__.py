"""Work that must not block the window: background jobs, incremental tasks, downloads, the store."""
