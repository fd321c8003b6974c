"""The web page: server, tabs, and browser scripts (`static/`)."""
