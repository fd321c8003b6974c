"""What breaks in a code base between two releases: files, names, findings, fixes."""
