"""The index: embeddings, lexical and dense search, and the files that they are kept in."""
