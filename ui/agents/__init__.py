"""What coding agents use: an MCP server over standard input and output, and a skill."""
