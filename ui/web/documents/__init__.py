"""The documents tab: what is indexed, added and removed."""
