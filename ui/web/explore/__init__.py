"""The explore tab: feature histories, and the content of the index."""
