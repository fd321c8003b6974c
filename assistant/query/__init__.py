"""Query understanding: turns a question as typed into a `Question`."""
