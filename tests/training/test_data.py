"""The training data: what is shipped is whole, and the check finds what is not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from training.check import problems
from training.mend import mended
from training.rows import Row, digest_sentences, is_held_out, opening, read_rows

SECTION = "2.4/tcpstore-libuv"


def row(**values: object) -> Row:
    (sentence, *_) = digest_sentences("en")[SECTION]
    given = Row(
        id="q-1",
        kind="question",
        language="en",
        text="why does rank 0 take so long to come up",
        sections=(SECTION,),
        view="en",
        writer="w",
        held_out=is_held_out(SECTION),
        style="symptom",
        answers=((opening(sentence, digest_sentences("en")[SECTION]),),),
    )
    return replace(given, **values)  # type: ignore[arg-type]


def test_the_data_is_whole() -> None:
    rows = list(read_rows())
    assert len(rows) > 8000
    assert list(problems(rows)) == []


def test_no_section_is_in_both_parts() -> None:
    parts: dict[str, set[bool]] = {}
    for each in read_rows():
        for section in each.sections:
            parts.setdefault(section, set()).add(each.held_out)
    assert all(len(found) == 1 for found in parts.values())
    assert 0.1 < sum(found == {True} for found in parts.values()) / len(parts) < 0.2


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        pytest.param({"sections": ("2.4/nothing",)}, "no section 2.4/nothing", id="section"),
        pytest.param({"answers": (("Not there.",),)}, "not one sentence", id="sentence"),
        pytest.param({"answers": ((),)}, "no answer", id="answer"),
        pytest.param({"held_out": not is_held_out(SECTION)}, "held_out", id="part"),
        pytest.param(
            {"text": "What is the default backend of TCPStore in 2.4?"}, "like a measured", id="leak"
        ),
    ],
)
def test_what_is_wrong_is_found(changed: dict[str, object], problem: str) -> None:
    measured = ["What is the default backend of TCPStore in release 2.4?"]
    assert list(problems([row()], measured)) == []
    (found,) = problems([row(**changed)], measured)
    assert problem in found


def test_a_text_that_stands_twice_is_found() -> None:
    (found,) = problems([row(), row(id="q-2", text="Why does rank 0 take so long to come up?")])
    assert found == "q-2: the text of q-1"


def test_a_line_that_is_no_row_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "q-1", "kind": "riddle"}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"^a.jsonl:1: "):
        list(read_rows(tmp_path))


def test_a_reworded_sentence_is_found_again() -> None:
    (sentence, *_) = digest_sentences("en")[SECTION]
    values = {
        "id": "q-1",
        "view": "en",
        "sections": [SECTION],
        "answers": [[f"{sentence[:40]} at all times"]],
    }
    found = mended(json.loads(json.dumps(values)))
    assert found is not None and sentence.startswith(found["answers"][0][0])
    assert mended({**values, "answers": [["zzzz zzzz zzzz zzzz zzzz"]]}) is None
    assert mended({**values, "sections": ["2.4/nothing"]}) is None
