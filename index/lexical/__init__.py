"""Lexical search: BM25 over the terms of `ingest.segment.Segmenter`."""
