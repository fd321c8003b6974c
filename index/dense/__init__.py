"""Dense search: nearest vectors by cosine, with FAISS."""
