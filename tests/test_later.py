"""A module that stands for another is imported by who uses it, and not by pytest, which looks at it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.later import Later


def test_a_module_is_imported_when_it_is_first_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "imported_late.py").write_text("NUMBER = 1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    late = Later("imported_late")
    for asked_by_pytest in ("__bases__", "__test__", "_mock_name"):
        assert not hasattr(late, asked_by_pytest)
    assert "imported_late" not in sys.modules
    assert late.NUMBER == 1 and "imported_late" in sys.modules
    del sys.modules["imported_late"]


def test_it_takes_no_attributes_that_the_module_would_lack() -> None:
    with pytest.raises(AttributeError, match=r'patch the module itself: .*"json\.loads"'):
        Later("json").loads = None
