"""The names of torch that code uses: found, looked up, and run."""
