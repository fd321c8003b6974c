"""Composes answers from search results: selects, orders and cites sentences."""
