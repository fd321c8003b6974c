"""The web page: a server, its tabs, and what runs in the browser (`static/`)."""
