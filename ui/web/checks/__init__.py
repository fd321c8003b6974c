"""Checks on this machine, started from the page."""
