"""The chat tab: questions, answers and their sources."""
