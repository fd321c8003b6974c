"""What is found to an answer: sentences chosen, ordered and cited."""
