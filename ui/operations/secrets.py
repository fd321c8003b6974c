"""What is never shown: the secrets of the settings and the environment, wherever they turn up in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from assistant.configuration.values import SECRET
from assistant.settings import Settings

HIDDEN = "[hidden]"
#: Variables that hold a secret and are no setting.
SECRET_VARIABLES = (
    "GITHUB_TOKEN",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
    "SLACK_APP_TOKEN",
    "SLACK_BOT_TOKEN",
    "SLACK_SIGNING_SECRET",
    "TORCHNOTES_PASSWORD",
)
_SHORTEST = 4  # characters; a shorter one would hide parts of words, and protects nothing
#: Secrets that are told by their form: credentials of HTTP, of addresses, and keys of well-known services.
_FORMS = re.compile(
    r"(?i)\b(?P<kind>bearer|basic)\s+[\w.~+/=-]{8,}"
    r"|(?<=://)[^\s/@]+:[^\s/@]+(?=@)"
    r"|\b(?:sk|ghp|gho|ghs|xoxb|xoxp|xapp|github_pat)[-_][\w-]{8,}"
)


class Secrets:
    """Hides secrets in texts.

    Args:
        values: the secrets; empty ones are passed over.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values = sorted({each for each in values if len(each) >= _SHORTEST}, key=len, reverse=True)

    @classmethod
    def of(cls, settings: Settings, environment: Mapping[str, str], *others: str) -> Secrets:
        """Return what hides all secrets of this process.

        Args:
            settings: user settings.
            environment: environment variables.
            *others: further secrets, such as a password given as an option.
        """
        own = (getattr(settings, name) for name in SECRET)
        return cls((*own, *(environment.get(name, "") for name in SECRET_VARIABLES), *others))

    def hide(self, text: str) -> str:
        """Return a text without the secrets.

        Args:
            text: any text.
        """
        for value in self._values:
            text = text.replace(value, HIDDEN)
        return _FORMS.sub(lambda found: f"{found['kind']} {HIDDEN}" if found["kind"] else HIDDEN, text)
