"""Whether a passage supports a claim."""
