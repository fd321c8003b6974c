"""Who may change the documents, and what becomes of visitors who do at the same time."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from index.storage.publishing import writer_lock
from index.storage.store import IndexBusyError, Store
from tests.ui.web.small import NOTE, Small, done, make
from ui.web.documents.intake import LockedError


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Small:
    return make(tmp_path, monkeypatch)


@pytest.mark.parametrize("change", ["add", "remove"])
def test_nobody_changes_what_the_operator_does_not_allow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    small = make(tmp_path, monkeypatch, allowed=False)
    sent = small.send("a.md", NOTE.format("a"))
    sent.path.chmod(0o200)
    work = (
        small.intake.add([sent], "http://127.0.0.1:9/", "en")
        if change == "add"
        else small.intake.remove([*small.app_state.assistant().retriever.generation.documents])
    )
    with pytest.raises(LockedError, match="--allow-documents"):
        next(work)
    assert small.left == [sent.path]
    assert len(small.titles) == 3


def test_two_visitors_at_once_come_one_after_the_other(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    entered, free = threading.Event(), threading.Event()
    update = small.app_state.factory.update

    def slow(*arguments: object, **options: object) -> object:
        entered.set()
        assert free.wait(30)
        return update(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(small.app_state.factory, "update", slow)
    first = small.intake.add([small.send("a.md", NOTE.format("first"))], "", "en")
    second = small.intake.add([small.send("b.md", NOTE.format("second"))], "", "en")
    next(first)
    assert entered.wait(30)
    while next(second).stage != "wait":
        pass
    assert "first" not in small.titles  # what is being changed is read meanwhile
    free.set()
    assert done(first)[1].taken and done(second)[1].taken
    assert {"first", "second"} <= small.titles


def test_a_visitor_who_leaves_stops_no_change(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    finished = threading.Event()
    update = small.app_state.factory.update

    def telling(*arguments: object, **options: object) -> object:
        report = update(*arguments, **options)  # type: ignore[arg-type]
        finished.set()
        return report

    monkeypatch.setattr(small.app_state.factory, "update", telling)
    work = small.intake.add([small.send("a.md", NOTE.format("left"))], "", "en")
    next(work)
    work.close()
    assert finished.wait(30) and "left" in small.titles
    _, outcome = done(small.intake.add([small.send("b.md", NOTE.format("stayed"))], "", "en"))
    documents = {document.title for _, document in outcome.taken}
    assert documents == {"stayed"}


def test_an_index_that_another_program_writes_is_told_of(small: Small) -> None:
    factory = small.app_state.factory
    factory.store = Store(factory.settings.home, lock_timeout=0.05)
    held, free = threading.Event(), threading.Event()

    def write() -> None:
        with writer_lock(factory.settings.home / "index", 1.0):
            held.set()
            free.wait(30)

    writer = threading.Thread(target=write)
    writer.start()
    assert held.wait(30)
    with pytest.raises(IndexBusyError, match="is writing it"):
        done(small.intake.add([small.send("a.md", NOTE.format("a"))], "", "en"))
    free.set()
    writer.join()
    assert done(small.intake.add([small.send("a.md", NOTE.format("a"))], "", "en"))[1].taken
