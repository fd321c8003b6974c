"""Whether statements of the notes apply to a machine, and why."""
