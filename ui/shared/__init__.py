"""What command line, web page and Slack share."""
