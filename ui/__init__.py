"""Converters at the edge: command line, web page."""
