"""Whether a statement of the notes concerns a machine: what it demands, what is there, and the reason."""
