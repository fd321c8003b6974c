"""What is near a question: embedder, vectors, terms, store, retriever."""
