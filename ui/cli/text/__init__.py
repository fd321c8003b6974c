"""Formatting of results for a terminal."""
