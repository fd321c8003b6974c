"""Reader feedback: stores ratings of answers and exports them as gold questions."""
