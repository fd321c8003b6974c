"""What a server says of how often it may be asked: Retry-After, and the rate limits of GitHub's API."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

_LONGEST = 30 * 86_400.0  # seconds; more is a mistake of the server


def asked_to_wait(status: int, headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that an answer asks to wait before the next request, None if it asks for nothing.

    GitHub sends 403 or 429 with Retry-After (the secondary limits) or with X-RateLimit-Remaining 0 and the
    time of its reset (docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api).

    Args:
        status: of the answer.
        headers: of the answer; names in lower case, or a mapping that does not mind.
        now: seconds since 1970.
    """
    if status not in (403, 429, 503):
        return None
    asked = _retry_after(headers.get("retry-after", ""), now)
    if asked is None and headers.get("x-ratelimit-remaining", "").strip() == "0":
        reset = headers.get("x-ratelimit-reset", "").strip()
        asked = int(reset) - now if reset.isdecimal() else None
    return None if asked is None else min(max(asked, 1.0), _LONGEST)


def until(seconds: float, now: float) -> str:
    """When a wait is over, by the clock of this machine, and how long that is.

    >>> until(150, 0).partition(" (")[2]
    'in 3 min)'
    """
    moment = datetime.fromtimestamp(now + seconds).strftime("%Y-%m-%d %H:%M")  # noqa: DTZ006 - the user's own
    return f"{moment} (in {-(-seconds // 60):.0f} min)"


def _retry_after(value: str, now: float) -> float | None:
    """Seconds, given as a number or as a date (RFC 9110, 10.2.3)."""
    if value.strip().isdecimal():
        return float(value)
    try:
        return parsedate_to_datetime(value).timestamp() - now
    except (ValueError, TypeError, OverflowError):
        return None
