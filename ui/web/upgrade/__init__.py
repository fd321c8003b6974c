"""The tab that tells what breaks in the visitor's code."""
