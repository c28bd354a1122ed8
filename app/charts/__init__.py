"""Charts of the report of a document, the document panel and the dashboard."""
