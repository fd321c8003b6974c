"""`torchnotes add --dask`: the work is done by workers, the index is the same."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from index.storage.content import content_sums
from index.storage.store import Store
from tests.index.bulk.serving import cluster_here
from tests.ui.saying import said
from ui.cli.main import BAD_INPUT
from ui.cli.progress import BuildProgressLine

NOTES = {
    "pytorch-2.4.md": "# PyTorch 2.4\n\nTCPStore uses libuv by default. The limit is 8 now.\n",
    "pytorch-2.5.md": "# PyTorch 2.5\n\nFlexAttention 加入了原型。它在 CPU 上也可以运行。\n",
}


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two short files, in a home of their own without the shipped digests."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in NOTES.items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("TORCHNOTES_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TORCHNOTES_SHIPPED_CORPUS", "false")
    return folder


def test_workers_make_the_index_that_one_process_makes(
    tmp_path: Path, notes: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (notes / "picture.png").write_bytes(b"PNG")
    with cluster_here() as cluster:
        code, out, err = said(capsys, "add", "--dask", cluster.scheduler_address, str(notes))
        assert code == 0, err
        again = said(capsys, "add", "--dask", cluster.scheduler_address, str(notes))
    assert "on workers     3 of 3 files" in err and "writing" in err
    assert len(re.findall(r"^new        user-2\.\d-", out, re.M)) == 2 and "picture.png: files of type" in out
    line = r"^workers    3 files in \d+ s; (\d+) texts embedded by 1 worker, 0 with a GPU: "
    embedded = re.search(line, out, re.M)
    assert embedded and f"2 documents in 2 chunks; {embedded[1]} texts embedded.\n" in out
    assert "0 texts had vectors, 0 files had been read; added up, workers read for" in out
    assert again[0] == 0 and len(re.findall(r"^unchanged  user-", again[1], re.M)) == 2
    assert "chunks; 0 texts embedded." in again[1]
    assert not (tmp_path / "home" / "bulk").exists()
    monkeypatch.setenv("TORCHNOTES_HOME", str(tmp_path / "here"))
    assert said(capsys, "add", str(notes))[0] == 0
    assert content_sums(Store(tmp_path / "home").open()) == content_sums(Store(tmp_path / "here").open())


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("host:8786", "--dask 'host:8786' is no Dask cluster; write it like tcp://scheduler:8786, "),
        ("tcp://127.0.0.1:1", "--dask tcp://127.0.0.1:1: no scheduler answers there"),
        ("local:2", "needs what is not installed here (dask); type `pip install 'torchnotes[dask]'`"),
    ],
)
def test_what_cannot_be_used_is_one_line(
    notes: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    message: str,
) -> None:
    monkeypatch.setattr("index.bulk.cluster._CONNECT", 0.2)
    if address == "local:2":
        monkeypatch.setattr("index.bulk.connecting.find_spec", lambda name: name != "dask" or None)
    code, out, err = said(capsys, "add", "--dask", address, str(notes))
    assert (code, out) == (BAD_INPUT, "")
    assert message in err and err.count("\n") == 1


def test_nothing_taken_is_told_with_the_reasons(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "add", "--dask", "tcp://127.0.0.1:1", str(notes / "none.md"))
    assert (code, out) == (BAD_INPUT, "")
    assert "none.md: there is no such file" in err and err.endswith("or their addresses\n")


@pytest.mark.long
def test_processes_of_this_machine_of_which_one_is_killed(
    tmp_path: Path, notes: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import distributed

    for minor in range(6, 12):
        text = NOTES["pytorch-2.4.md"].replace("2.4", f"2.{minor}").replace("8", str(minor))
        (notes / f"pytorch-2.{minor}.md").write_text(text, encoding="utf-8")
    clusters: list[Any] = []

    class Watched(distributed.LocalCluster):
        def __init__(self, **given: Any) -> None:
            clusters.append(self)
            assert given["security"].require_encryption
            super().__init__(**given)  # type: ignore[no-untyped-call]

    def killing(line: BuildProgressLine, stage: str, done: int, total: int) -> None:
        if stage == "bulk" and done == 1:
            os.kill(clusters[0].workers[0].pid, signal.SIGKILL)
        told(line, stage, done, total)

    told = BuildProgressLine.__call__
    monkeypatch.setattr(distributed, "LocalCluster", Watched)
    monkeypatch.setattr(BuildProgressLine, "__call__", killing)
    code, out, err = said(capsys, "add", "--dask", "local:2", str(notes))
    assert code == 0, err
    assert "\nlost       1 worker; others did their work again\n" in out
    assert len(re.findall(r"^new        user-", out, re.M)) == 8
    monkeypatch.setenv("TORCHNOTES_HOME", str(tmp_path / "here"))
    assert said(capsys, "add", str(notes))[0] == 0
    assert content_sums(Store(tmp_path / "home").open()) == content_sums(Store(tmp_path / "here").open())
