"""What ships: digests, glossary, catalogue, vectors, and their loader."""
