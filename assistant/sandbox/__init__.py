"""A sandbox for untrusted programs, with resource limits."""
