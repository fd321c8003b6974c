"""Language model support: client, prompts, and verified drafts."""
