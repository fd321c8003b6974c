"""The Slack bot: messages in, one call of the assistant, Block Kit out."""
