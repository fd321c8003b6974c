"""Surface facts of a Chinese or English text: quantities, names, platforms, what a claim states."""
