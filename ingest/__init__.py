"""What the sources say, and where: loading, cleaning, sections, splitting."""
