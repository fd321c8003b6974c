"""What retrieval found for the rows is kept, and found again by a run that goes on."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from tests.training.lamps import FOUND, ROW
from training.candidates import Found, candidates

KEPT = Found("r", "do lamps dim, told alone?", "en", FOUND)


def line(found: Found) -> str:
    return json.dumps(asdict(found), ensure_ascii=False) + "\n"


def test_what_is_kept_is_not_looked_for_again(tmp_path: Path) -> None:
    path = tmp_path / "candidates.jsonl"
    path.write_text(line(KEPT), encoding="utf-8")
    (found,) = candidates([ROW], path).values()
    assert json.loads(line(found)) == json.loads(line(KEPT))
    assert found.passages[0].section == "9.2/doors"
    assert path.read_text(encoding="utf-8") == line(KEPT)


def test_a_line_that_was_cut_short_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "candidates.jsonl"
    path.write_text(line(KEPT) + line(KEPT)[:99], encoding="utf-8")
    assert list(candidates([ROW], path)) == ["r"]
