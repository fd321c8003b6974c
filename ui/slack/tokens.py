"""The tokens, from the environment under the names that Slack's own tools use; they are never shown."""

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
    """What proves us to Slack, and Slack to us; "" for what is not set.

    Attributes:
        bot: for the Web API.
        app: for the socket.
        signing: of requests over HTTP.
    """

    bot: str = field(default="", repr=False)
    app: str = field(default="", repr=False)
    signing: str = field(default="", repr=False)

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Tokens:
        """Those of an environment."""
        return cls(*(environment.get(name, "").strip() for name in _WHERE))

    def missing(self, *, http: bool) -> dict[str, str]:
        """Names of what is needed and not set, each with what to do."""
        needed = {"SLACK_BOT_TOKEN": self.bot}
        needed |= {"SLACK_SIGNING_SECRET": self.signing} if http else {"SLACK_APP_TOKEN": self.app}
        return {name: _WHERE[name] for name, value in needed.items() if not value}

    def odd(self) -> dict[str, str]:
        """What does not look like what it must be, usually because two were mixed up."""
        wanted = {"SLACK_BOT_TOKEN": (self.bot, "xoxb-"), "SLACK_APP_TOKEN": (self.app, "xapp-")}
        return {
            name: f"does not start with {start}: {_WHERE[name]}"
            for name, (value, start) in wanted.items()
            if value and not value.startswith(start)
        }
