"""What the tabs share: safe HTML, Markdown, quotes, words, long work."""
