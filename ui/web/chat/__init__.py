"""The chat tab: questions, answers and sources."""
