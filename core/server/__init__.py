"""Evenhand inside other editors: a language server, and the HTTP interface of LanguageTool."""
