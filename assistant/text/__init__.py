"""Surface facts of Chinese and English texts: quantities, names, platforms, and the facts a claim states."""
