"""Clients of the assistant: command line, web page, Slack."""
