"""Embeddings, lexical and dense search, and the on-disk index."""
