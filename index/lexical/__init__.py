"""Lexical search: BM25 over the terms of the segmenter."""
