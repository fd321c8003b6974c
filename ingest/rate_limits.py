"""Rate limits in HTTP responses: Retry-After, and the headers of GitHub's API."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

_LONGEST = 30 * 86_400.0  # seconds; larger values are errors of the server


def asked_to_wait(status: int, headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds to wait before the next request.

    GitHub sends 403 or 429 with Retry-After (secondary limits), or with X-RateLimit-Remaining 0 and the time
    of the reset (docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api).

    Args:
        status: status of the response.
        headers: headers of the response; names in lower case, or a case-insensitive mapping.
        now: current time, in seconds since 1970.

    Returns:
        Seconds, from 1 to 30 days; None if the response asks for no wait.
    """
    if status not in (403, 429, 503):
        return None
    asked = _retry_after(headers.get("retry-after", ""), now)
    if asked is None and headers.get("x-ratelimit-remaining", "").strip() == "0":
        reset = headers.get("x-ratelimit-reset", "").strip()
        asked = int(reset) - now if reset.isdecimal() else None
    return None if asked is None else min(max(asked, 1.0), _LONGEST)


def until(seconds: float, now: float) -> str:
    """Format the end of a wait in local time, with its duration.

    Args:
        seconds: duration of the wait.
        now: current time, in seconds since 1970.

    >>> until(150, 0).partition(" (")[2]
    'in 3 min)'
    """
    moment = datetime.fromtimestamp(now + seconds).strftime("%Y-%m-%d %H:%M")  # noqa: DTZ006 - local time
    return f"{moment} (in {-(-seconds // 60):.0f} min)"


def _retry_after(value: str, now: float) -> float | None:
    """Parse seconds, or a date (RFC 9110, 10.2.3)."""
    if value.strip().isdecimal():
        return float(value)
    try:
        return parsedate_to_datetime(value).timestamp() - now
    except (ValueError, TypeError, OverflowError):
        return None
