"""The explore tab: feature histories, and what the index holds."""
