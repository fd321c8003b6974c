"""Building, publishing, verifying and repairing the index on disk."""
