"""Runnable claims: programs that try on this machine what the notes say, and their verdicts."""
