"""User interfaces: command line, web page, Slack."""
