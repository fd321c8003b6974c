"""Training of the reader: its data, and the checks of the data. Not part of the package."""
