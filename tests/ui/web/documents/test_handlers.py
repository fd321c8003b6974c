"""What the documents tab does when it is used."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.ui.web.small import Small, make
from ui.web.documents.handlers import Handlers
from ui.web.documents.intake import Upload

NOTE = '---\ntitle: Frob\nrelease: "2.6"\n---\n\n## New\n\nThe frobnicator is new in PyTorch 2.6.\n'


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Small:
    return make(tmp_path, monkeypatch)


@pytest.fixture
def handlers(small: Small) -> Handlers:
    return Handlers(small.app_state, small.intake)


def sent(upload: Upload) -> Mapping[str, Any]:
    return {"path": str(upload.path), "orig_name": upload.name, "size": 1, "meta": {}}


def own(small: Small) -> list[str]:
    return [*small.app_state.assistant().retriever.generation.documents]


def test_files_are_added_and_the_page_follows(small: Small, handlers: Handlers) -> None:
    upload = small.send("x.md", NOTE, "my notes.md")
    *steps, report, last = handlers.add([sent(upload)], "", "zh", "")
    assert all("tn-doc-step" in step[0] for step in steps)
    assert "新增" in report[0] and "my notes.md" in report[0]
    _, files, address, table, choices, button = last
    assert files is None and address == "" and "Frob" in table
    assert len(choices["choices"]) == 4 and "my notes.md" in choices["choices"][0][0]
    assert button["interactive"]
    assert not small.left


def test_an_address_that_was_refused_stays_to_be_mended(handlers: Handlers) -> None:
    *_, report, last = handlers.add(None, "http://127.0.0.1:9/a.md", "en", "")
    assert "private or local address" in report[0]
    assert last[2] != "" and "Nothing was taken" in report[0]


@pytest.mark.parametrize(
    ("said", "line"), [("en", "Drop a file"), ("zh", "请先选择文件"), ("", "Drop a file")]
)
def test_nothing_given_is_told(handlers: Handlers, said: str, line: str) -> None:
    ((report, *_),) = handlers.add([], "  ", said, "")
    assert line in report


def test_documents_are_removed_after_a_question(small: Small, handlers: Handlers) -> None:
    name = own(small)[0]
    question, buttons = handlers.ask([name], "en")
    assert question["visible"] and buttons["visible"] and "No visitor will find them" in question["value"]
    assert own(small)[0] == name
    hidden, away = handlers.keep()
    assert not hidden["visible"] and not away["visible"]
    *_, report, last = handlers.remove([name], "en", "")
    assert "removed" in report[0] and not report[1]["visible"] and not report[2]["visible"]
    assert last[4]["value"] == [] and len(last[4]["choices"]) == 2
    assert name not in own(small)
    question, buttons = handlers.ask([name], "en")
    assert "is in the index" in question["value"] and not buttons["visible"]
    (*_, report, _) = handlers.remove([name], "en", "")
    assert "tn-error" in report[0]


def test_nothing_ticked_is_told(handlers: Handlers) -> None:
    question, buttons = handlers.ask(None, "zh")
    assert "请先勾选" in question["value"] and not buttons["visible"]


def test_what_ships_is_no_choice_and_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = make(tmp_path, monkeypatch, shipped=True)
    handlers = Handlers(small.app_state, small.intake)
    choices, _ = handlers.choices("en")
    offered = {name for _, name in choices["choices"]}
    shipped = {*own(small)} - offered
    assert len(offered) == 3 and len(shipped) == 2
    for name in shipped:
        question, buttons = handlers.ask([name], "en")
        assert "ships with torchnotes and stays" in question["value"] and not buttons["visible"]
        *_, report, _ = handlers.remove([name], "en", "")
        assert "ships with torchnotes and stays" in report[0]
    assert shipped < {*own(small)}


@pytest.mark.parametrize("said", ["zh", "en"])
def test_every_handler_refuses_where_it_is_not_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    small = make(tmp_path, monkeypatch, allowed=False)
    handlers = Handlers(small.app_state, small.intake)
    upload = small.send("a.md", NOTE)
    before = small.app_state.factory.store.current()
    reports = [
        next(handlers.add([sent(upload)], "", said, ""))[0],
        next(handlers.add(None, "", said, ""))[0],
        next(handlers.remove(own(small), said, ""))[0],
        handlers.ask(own(small), said)[0]["value"],
    ]
    assert all("torchnotes web --allow-documents" in report and "tn-error" in report for report in reports)
    assert small.left == [upload.path]
    assert small.app_state.factory.store.current() == before
    assert "<table" in handlers.table(said, "")


def test_what_breaks_is_one_line_on_the_page_and_told_in_the_log(
    small: Small, handlers: Handlers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(small.app_state.factory, "update", broken)
    with caplog.at_level(logging.ERROR):
        *_, report, _ = handlers.add([sent(small.send("a.md", NOTE))], "", "en", "")
    assert "torchnotes doctor" in report[0] and "secret" not in report[0]
    assert "ZeroDivisionError" in caplog.text and not small.left


def test_the_table_is_filtered(handlers: Handlers) -> None:
    assert handlers.table("en", "2.5").count('scope="row"') == 1
    assert "没有符合筛选条件的文档" in handlers.table("zh", "nothing")


def test_an_index_that_only_lost_its_name_is_shown(small: Small, handlers: Handlers) -> None:
    before = handlers.table("en", "")
    (small.app_state.factory.settings.home / "index" / "current").write_bytes(b"x")
    assert handlers.table("en", "") == before


def test_a_damaged_index_is_told(small: Small, handlers: Handlers) -> None:
    small.damage()
    assert "torchnotes rebuild" in handlers.table("en", "")
    choices, button = handlers.choices("en")
    assert choices["choices"] == [] and not button["interactive"]
    *_, report, _ = handlers.add([sent(small.send("a.md", NOTE))], "", "en", "")
    assert "torchnotes rebuild" in report[0]
