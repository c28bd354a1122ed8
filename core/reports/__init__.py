"""Reports in all output formats: terminal text, JSON, SARIF, HTML."""
