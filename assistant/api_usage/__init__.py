"""Use of torch's API in code: finding names, looking them up, and running the code."""
