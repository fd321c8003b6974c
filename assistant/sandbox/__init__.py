"""Untrusted programs, run isolated and within limits."""
