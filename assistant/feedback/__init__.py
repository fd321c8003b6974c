"""Ratings of readers: their store, and test questions made of them."""
