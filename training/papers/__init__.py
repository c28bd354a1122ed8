"""Reproductions of the papers: published figures, systems, tables and kept results, one folder for each paper."""
