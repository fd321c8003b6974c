"""The documents tab: list, add and remove documents."""
