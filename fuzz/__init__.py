"""Fuzzing: what is read from outside takes any bytes, in bounded time and without an error of ours."""
