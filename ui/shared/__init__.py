"""Code shared by command line, web page and Slack."""
