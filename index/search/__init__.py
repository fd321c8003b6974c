"""Search: a question to the best chunks, dense and lexical ranks fused."""
