"""Writers that are killed, writers that wait, readers in between: each in a process or thread of its own."""

from __future__ import annotations

import random
import shutil
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import index.storage.store
from index.storage.manifest import Manifest
from index.storage.store import Generation, IndexBuilder, IndexBusyError, Store
from tests.index.light import (
    LightEmbedder,
    changed_documents,
    hold_lock,
    make_builder,
    make_document,
    sample_documents,
    write_changes,
    write_in_turns,
)
from tests.index.processes import context, end, needs_fork, start

pytestmark = needs_fork
KILLS = 20  # more of them, of every command: tests/trust/test_kills.py
OLD = {document.id: document.text for document in sample_documents()}
NEW = {document.id: document.text for document in changed_documents()}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that holds the sample documents; tests copy it."""
    home = tmp_path_factory.mktemp("prepared") / "home"
    Store(home).update(sample_documents(), builder=make_builder(LightEmbedder()))
    return home


@pytest.fixture(scope="module")
def duration(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> float:
    """Seconds that a writer takes, from its beginning to its end."""
    seconds = []
    for _ in range(3):
        home = shutil.copytree(prepared, tmp_path_factory.mktemp("measured") / "home")
        begun = context().Event()
        process = start(write_changes, home, begun)
        assert begun.wait(30)
        began = time.perf_counter()
        assert end(process) == 0
        seconds.append(time.perf_counter() - began)
    return sorted(seconds)[1]


@pytest.fixture
def home(prepared: Path, tmp_path: Path) -> Path:
    return shutil.copytree(prepared, tmp_path / "home")


def texts(store: Store) -> dict[str, str]:
    return {name: document.text for name, document in store.open().documents.items()}


def check_after_kill(home: Path) -> None:
    """The index is whole, old or new; the next writer works and leaves nothing behind."""
    store = Store(home, lock_timeout=5)
    assert store.verify() == []
    assert texts(store) in (OLD, NEW)
    store.update(changed_documents(), ["en-2.3"], builder=make_builder(LightEmbedder()))
    assert store.verify() == []
    assert texts(store) == NEW
    left = {path.name for path in (home / "index" / "generations").iterdir()}
    assert store.current() in left and len(left) <= 2
    assert not any(name.startswith("tmp-") for name in left)


@pytest.mark.parametrize("number", range(KILLS))
def test_a_writer_killed_at_a_random_moment(home: Path, duration: float, number: int) -> None:
    fraction = random.Random(number).uniform(0.0, 1.1)
    begun = context().Event()
    process = start(write_changes, home, begun)
    assert begun.wait(30)
    process.join(fraction * duration)
    process.kill()
    assert end(process) in (0, -signal.SIGKILL)
    check_after_kill(home)


def test_a_writer_killed_before_each_touch_of_a_file(prepared: Path, tmp_path: Path) -> None:
    outcomes = []
    for touch in range(1000):
        home = shutil.copytree(prepared, tmp_path / str(touch))
        process = start(write_changes, home, None, touch)
        if end(process) == 0:
            break
        assert process.exitcode == -signal.SIGKILL
        outcomes.append(texts(Store(home)) == NEW)
        check_after_kill(home)
    assert len(outcomes) > 20
    assert outcomes == sorted(outcomes)  # old up to the switch, new from there on
    assert {False, True} == set(outcomes)


def test_a_killed_first_writer_leaves_no_index_or_a_whole_one(tmp_path: Path) -> None:
    for touch in range(0, 1000, 5):
        home = tmp_path / str(touch)
        process = start(write_changes, home, None, touch)
        if end(process) == 0:
            break
        store = Store(home)
        assert store.current() is None or texts(store) == NEW
        store.update(changed_documents(), builder=make_builder(LightEmbedder()))
        assert texts(store) == NEW and store.verify() == []
        assert len(list((home / "index" / "generations").iterdir())) == 1


def test_readers_find_whole_generations_while_a_writer_works(home: Path) -> None:
    done = threading.Event()

    def read() -> set[str]:
        store = Store(home)
        seen = set()
        while not done.is_set():
            generation = store.open()
            assert {name: document.text for name, document in generation.documents.items()} in (OLD, NEW)
            assert store.verify() == []
            seen.add(generation.name)
        return seen

    with ThreadPoolExecutor(3) as pool:
        readers = [pool.submit(read) for _ in range(3)]
        writer = start(write_in_turns, home, 25)
        writer.join(120)
        done.set()
        seen = set().union(*(reader.result() for reader in readers))
    assert writer.exitcode == 0
    assert len(seen) > 3


@pytest.mark.parametrize("switches", [1, 2])
@pytest.mark.parametrize("what", ["load", "find_faults"])
def test_a_reader_overtaken_by_writers_begins_again(
    home: Path, builder: IndexBuilder, monkeypatch: pytest.MonkeyPatch, what: str, switches: int
) -> None:
    """After two switches the generation that it began to read is gone."""
    owner = Generation if what == "load" else index.storage.store
    original = getattr(owner, what)
    store, writer = Store(home), Store(home)
    folders: list[Path] = []

    def overtaken(folder: Path, *rest: Manifest) -> object:
        folders.append(folder)
        monkeypatch.undo()
        for number in range(switches):
            writer.update([make_document("more", f"Text {number}.\n")], builder=builder)
        assert folder.exists() == (switches == 1)
        return original(folder, *rest)

    monkeypatch.setattr(owner, what, overtaken)
    if what == "load":
        assert (store.open().name == folders[0].name) == (switches == 1)
    else:
        assert store.verify() == []
    assert len(folders) == 1


def test_a_second_writer_is_told_who_writes(home: Path, builder: IndexBuilder) -> None:
    held, stop = context().Event(), context().Event()
    process = start(hold_lock, home, held, stop)
    assert held.wait(30)
    with pytest.raises(IndexBusyError, match=rf"process {process.pid} on \S+ \(since .*waited 0.2 s"):
        Store(home, lock_timeout=0.2).update(changed_documents(), builder=builder)
    assert texts(Store(home)) == OLD  # readers go on
    stop.set()
    # The second writer waits for the first, and builds upon what that wrote.
    Store(home, lock_timeout=30).update([make_document("mine", "Mine.\n")], builder=builder)
    assert end(process) == 0
    assert set(texts(Store(home))) == {*OLD, "held", "mine"}


def test_a_killed_writer_holds_no_lock(home: Path, builder: IndexBuilder) -> None:
    held, stop = context().Event(), context().Event()
    process = start(hold_lock, home, held, stop)
    assert held.wait(30)
    process.kill()
    end(process)
    assert Store(home, lock_timeout=5).update(changed_documents(), builder=builder).written


def test_writers_in_threads_take_turns(home: Path) -> None:
    def write(number: int) -> None:
        document = make_document(f"thread-{number}", f"Text {number}.\n")
        Store(home).update([document], builder=make_builder(LightEmbedder()))

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(6)))
    assert set(texts(Store(home))) == {*OLD, *(f"thread-{number}" for number in range(6))}
