"""The command line interface, `torchnotes`."""
