"""A draft in another format: it is read into blocks that belong to no format, and these are written."""
