"""Every file of the index and of the caches damaged in every way, one after the other."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.index.processes import needs_fork
from tests.trust.acting import Place, use_small_parts
from tests.trust.harms import HARMS, check_harm, damageable

pytestmark = needs_fork


@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.__name__)
def test_each_file_is_found_named_and_mended(
    place: Place,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    harm: Callable[[Path], None],
) -> None:
    home = tmp_path / "home"

    def said() -> str:
        lines = [record.message for record in caplog.records]
        caplog.clear()
        return "\n".join(["".join(capfd.readouterr()), *lines])

    use_small_parts(monkeypatch, place, home)
    for name in damageable(place.base / "home"):
        shutil.copytree(place.base / "home", home)
        check_harm(place, home, name, harm, said)
        shutil.rmtree(home)
