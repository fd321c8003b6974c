"""`torchnotes index copy`."""

from __future__ import annotations

from pathlib import Path

import pytest

from index.milvus.copying import Compared
from index.storage.store import Store
from tests.index.light import LightEmbedder, make_builder, sample_documents
from ui.cli.main import BAD_INPUT, BROKEN, main


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder with an index."""
    folder = tmp_path / "home"
    Store(folder).update(sample_documents(), builder=make_builder(LightEmbedder()))
    return folder


def test_a_folder_is_copied_to_a_file_of_milvus(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = f"milvus:{tmp_path}/notes.db"
    assert main(["index", "copy", str(home), target]) == 0
    told = capsys.readouterr()
    assert "documents                 3          3  same content" in told.out
    assert told.out.endswith(f"{target} is a copy of {home}: 3 documents.\n")
    assert "writing" in told.err and "reading" in told.err


def test_a_copy_that_differs_is_an_error(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "index.milvus.copying.copy_index", lambda *given: [Compared("documents", 3, 2, same=False)]
    )
    assert main(["index", "copy", str(home), str(tmp_path / "other")]) == BROKEN
    told = capsys.readouterr()
    assert "3          2  DIFFERENT CONTENT" in told.out and "documents differ" in told.err


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("empty", "other", "no index in "),
        ("home", "home", "copied onto itself"),
        ("home", "milvus://host", "is no address of an index in Milvus"),
    ],
)
def test_what_cannot_be_copied_is_told_in_one_line(
    home: Path, capsys: pytest.CaptureFixture[str], source: str, target: str, said: str
) -> None:
    places = [each if each.startswith("milvus") else str(home.parent / each) for each in (source, target)]
    assert main(["index", "copy", *places]) == BAD_INPUT
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1
