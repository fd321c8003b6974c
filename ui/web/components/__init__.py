"""Code shared by the tabs: safe HTML, Markdown, quotes, labels, background work."""
