from __future__ import annotations

import pytest

from index.bulk.address import parse_cluster
from ingest.errors import TorchnotesError
from tests.rows import each_row


@each_row(
    ("text", "local"),
    [
        ("tcp://scheduler:8786", 0),
        ("tls://10.0.0.1:8786", 0),
        ("tcp://[::1]:8786", 0),
        ("local:4", 4),
        (" local:256 ", 256),
    ],
)
def test_an_address_is_of_a_scheduler_or_of_this_machine(text: str, local: int) -> None:
    assert parse_cluster(text) == (text.strip(), local)


@pytest.mark.parametrize(
    "text",
    [
        *("", "scheduler:8786", "http://host:8786", "tcp://host", "tcp://host:0", "tcp://host:99999"),
        *("tcp://me:word@host:8786", "tcp://host:8786/x", "local", "local:0", "local:257", "local:4\n5"),
    ],
)
def test_what_is_no_address_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(
        TorchnotesError, match=r"write it like tcp://scheduler:8786, .* or local:4"
    ) as refused:
        parse_cluster(text)
    assert "\n" not in str(refused.value) and "word" not in str(refused.value)
