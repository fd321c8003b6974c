"""What takes minutes: `make trust`."""
