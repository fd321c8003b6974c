"""The passages that the notes have on a question, ranked, and whether they answer it."""
