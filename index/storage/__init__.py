"""Storage: generations of the index on disk, built, published, checked and repaired."""
