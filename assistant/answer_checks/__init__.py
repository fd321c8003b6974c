"""Checks related to an answer, and their verdicts."""
