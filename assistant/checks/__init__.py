"""Runnable claims: programs that check on this machine what the notes say, and what runs them."""
