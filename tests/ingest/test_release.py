from __future__ import annotations

import pytest

from ingest.release import Release


@pytest.mark.parametrize("text", ["2.4", "v2.4", "V2.4.0", " 2.4.1 ", "2.4.x", "2.4.0.x"])
def test_every_way_to_write_it(text: str) -> None:
    assert Release.parse(text) == Release(2, 4)


@pytest.mark.parametrize(
    "text", ["", "2", "2.", ".4", "two", "2,4", "2.4a", "2.4-rc1", "torch 2.4", "2.4.0.1", "100.1"]
)
def test_what_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a release; write it like 2\.4 or v2\.4\.0"):
        Release.parse(text)


def test_order_is_by_number() -> None:
    texts = ["2.10", "1.13", "2.9", "2.0", "1.2"]
    assert [str(r) for r in sorted(map(Release.parse, texts))] == ["1.2", "1.13", "2.0", "2.9", "2.10"]


def test_it_is_shown_as_it_is_read() -> None:
    assert str(Release.parse("v2.10.0")) == "2.10" and f"PyTorch {Release(2, 8)}" == "PyTorch 2.8"
