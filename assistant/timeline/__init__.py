"""The status of features, release by release."""
