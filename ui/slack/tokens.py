"""Tokens, read from the environment variables that Slack's own tools use; they are never shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_WHERE = {
    "SLACK_BOT_TOKEN": "copy the token that starts with xoxb- from OAuth & Permissions of the app",
    "SLACK_APP_TOKEN": "make an app-level token with the scope connections:write under Basic Information "
    "of the app, it starts with xapp-",
    "SLACK_SIGNING_SECRET": "copy the signing secret from Basic Information of the app",
}


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of the bot, "" if not set.

    Attributes:
        bot: bot token for the Web API.
        app: app-level token for Socket Mode.
        signing: secret for verifying HTTP requests.
    """

    bot: str = field(default="", repr=False)
    app: str = field(default="", repr=False)
    signing: str = field(default="", repr=False)

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Tokens:
        """Read the tokens.

        Args:
            environment: environment variables.
        """
        return cls(*(environment.get(name, "").strip() for name in _WHERE))

    def missing(self, *, http: bool) -> dict[str, str]:
        """Return the names of required tokens that are not set, each with instructions.

        Args:
            http: HTTP requests are used instead of Socket Mode.
        """
        needed = {"SLACK_BOT_TOKEN": self.bot}
        needed |= {"SLACK_SIGNING_SECRET": self.signing} if http else {"SLACK_APP_TOKEN": self.app}
        return {name: _WHERE[name] for name, value in needed.items() if not value}

    def odd(self) -> dict[str, str]:
        """Return tokens with a wrong prefix, usually because two were swapped, each with instructions."""
        wanted = {"SLACK_BOT_TOKEN": (self.bot, "xoxb-"), "SLACK_APP_TOKEN": (self.app, "xapp-")}
        return {
            name: f"does not start with {start}: {_WHERE[name]}"
            for name, (value, start) in wanted.items()
            if value and not value.startswith(start)
        }
