"""What servers say of how often they may be asked."""

from __future__ import annotations

import pytest

from ingest.rate_limits import asked_to_wait, until
from tests.rows import each_row

NOW = 1_800_000_000.0  # Fri, 15 Jan 2027 08:00:00 GMT


@each_row(
    ("status", "headers", "seconds"),
    [
        (429, {"retry-after": "30"}, 30),
        (403, {"retry-after": "Fri, 15 Jan 2027 08:02:00 GMT"}, 120),
        (503, {"retry-after": "5"}, 5),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1800000090"}, 90),
        (429, {"retry-after": "7", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1800000090"}, 7),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000000"}, 1),
        (429, {"retry-after": "9" * 40}, 30 * 86400),
        (403, {"x-ratelimit-remaining": "12", "x-ratelimit-reset": "1800000090"}, None),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "soon"}, None),
        (403, {}, None),
        (429, {"retry-after": "soon"}, None),
        (429, {"retry-after": "-5"}, None),
        (500, {"retry-after": "30"}, None),
        (200, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1800000090"}, None),
    ],
)
def test_what_is_asked_for(status: int, headers: dict[str, str], seconds: float | None) -> None:
    assert asked_to_wait(status, headers, NOW) == seconds


@pytest.mark.parametrize(("seconds", "minutes"), [(1, 1), (60, 1), (61, 2), (3600, 60)])
def test_when_it_is_over(seconds: float, minutes: int) -> None:
    assert until(seconds, NOW).endswith(f" (in {minutes} min)")
