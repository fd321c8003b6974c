"""A language model: client, prompts, drafts."""
