"""Settings: the table of settings and their values, the language of the interface, the settings dialog."""
