"""Verification of claims: whether a passage supports a statement."""
