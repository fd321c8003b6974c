"""Long tests of what must never fail: `make trust`."""
