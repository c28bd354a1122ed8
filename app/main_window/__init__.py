"""The main window: its layout, docks and menus, the components it is made of, and its command handlers."""
