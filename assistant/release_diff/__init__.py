"""Changes between two releases."""
