"""Embedding models: texts to unit vectors, each text once."""
