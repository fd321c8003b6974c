"""The command line, `torchnotes`."""
