"""Checks on this machine, as the page shows and starts them."""
