"""The checks that an answer calls for, and their verdicts."""
