"""A question as typed to a `Question`: language, releases, terms, kind of answer, follow-ups."""
