"""Two writers, a reader through many publishes, clocks that jump, folders that may only be read."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from index.storage.store import Store
from tests.index.light import LightEmbedder, changed_documents, make_builder, sample_documents, write_in_turns
from tests.index.processes import end, needs_fork, start
from tests.trust.acting import Place, act, perform, texts, use_small_parts

pytestmark = needs_fork
ROOT = Path(__file__).resolve().parents[2]
READ = """
import sys
from pathlib import Path
import pytest
from tests.trust.acting import Place, use_small_parts
from ui.cli.main import main
use_small_parts(pytest.MonkeyPatch(), Place(Path(sys.argv[1]), "http://127.0.0.1:9"), Path(sys.argv[2]))
print([main(["verify"]), main(["sources"]), main(["rebuild"])])
"""


def test_a_reader_through_200_publishes(tmp_path: Path) -> None:
    home = tmp_path / "home"
    Store(home).update(sample_documents(), builder=make_builder(LightEmbedder()))
    both = [{d.id: d.text for d in documents} for documents in (sample_documents(), changed_documents())]
    over = threading.Event()

    def read() -> int:
        seen = set()
        while not over.is_set():
            generation = Store(home).open()
            assert {name: document.text for name, document in generation.documents.items()} in both
            seen.add(generation.name)
        return len(seen)

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        writer = start(write_in_turns, home, 200)
        writer.join(600)
        over.set()
        assert all(reader.result() > 20 for reader in readers)
    assert end(writer) == 0 and Store(home).verify() == []
    assert str(Store(home).current()).startswith("000201-")


def test_two_commands_at_once_both_take_effect(place: Place, copied: Path, tmp_path: Path) -> None:
    writers = [start(act, place, copied, action) for action in ("add", "sync", "ship", "rebuild")]
    assert [end(writer) for writer in writers] == [0, 0, 0, 0]
    held = texts(copied).values()
    for said in ("three says 3 of 1", "one says 2 of 2", "It is 2."):
        assert any(said in text for text in held), said
    assert Store(copied).verify() == []


@pytest.mark.parametrize("jump", [-10 * 365 * 86400, 10 * 365 * 86400], ids=["backwards", "forwards"])
def test_a_clock_that_jumps_changes_nothing(
    place: Place, copied: Path, monkeypatch: pytest.MonkeyPatch, jump: int
) -> None:
    use_small_parts(monkeypatch, place, copied)
    now = time.time
    for path in [*copied.rglob("*"), copied]:
        os.utime(path, (now() - jump, now() - jump))
    monkeypatch.setattr(time, "time", lambda: now() + jump)
    for action in ("sync", "add", "rebuild", "remove"):
        assert perform(place, action) == 0
        assert Store(copied).verify() == []
    names = sorted(path.name for path in (copied / "index" / "generations").iterdir())
    assert Store(copied).current() == names[-1]


def test_a_home_that_may_only_be_read_is_read(place: Place, tmp_path: Path) -> None:
    home = shutil.copytree(place.base / "home", tmp_path / "home")
    if sys.platform != "linux" or not shutil.which("unshare"):
        pytest.skip("a disk that may only be read needs Linux and unshare")
    alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    program = [sys.executable, "-c", READ, str(place.base), str(home)]
    done = subprocess.run(
        [*alone, "sh", "-c", mount, str(home), *program],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if "mount:" in done.stderr:
        pytest.skip(f"nothing can be mounted here ({done.stderr.strip()})")
    assert json.loads(done.stdout.splitlines()[-1]) == [0, 0, 2], done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("torchnotes: index ") and "cannot be written (Read-only file system" in last
    assert "Traceback" not in done.stderr
