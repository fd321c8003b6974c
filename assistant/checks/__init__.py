"""Checks: programs that try claims of the notes on this machine, and their verdicts."""
