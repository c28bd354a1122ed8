"""The commands of `evenhand train`."""
