"""A small trained model that reads a question and a passage together: whether it answers, and where."""
