"""The compare tab: two releases beside each other."""
