"""Scoring of answers against gold questions, whose right answers are known."""
