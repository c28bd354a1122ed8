"""Widgets that every part of the window uses: theme, icons, labels, bars, lists, tables, form fields, dialogs."""
