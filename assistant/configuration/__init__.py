"""Parts of the settings: validation of each value, and the language model that the user chose and stored."""
