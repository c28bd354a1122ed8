"""Analysis in the background: the worker thread, what it keeps warm, suggestions and explanations of findings."""
