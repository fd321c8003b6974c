"""Scores of answers to questions whose right answers are known."""
