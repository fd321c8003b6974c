"""The status of a feature, release by release."""
