"""Scores of answers on gold questions, whose right answers are known, and trials of a language model."""
