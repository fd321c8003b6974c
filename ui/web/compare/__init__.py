"""The compare tab: changes between two releases."""
