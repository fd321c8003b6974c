from __future__ import annotations

import os
from pathlib import Path

import pytest

from assistant.sandbox.folder import remove, run_folder


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text("pass\n", encoding="utf-8")
    return path


def test_it_is_private_and_gone_afterwards(program: Path) -> None:
    with run_folder(program) as folder:
        assert folder.base.stat().st_mode & 0o777 == 0o700
        assert (folder.program / "program.py").read_text(encoding="utf-8") == "pass\n"
        assert folder.work.is_dir()
    assert not folder.base.exists()


def test_it_is_gone_after_an_error(program: Path) -> None:
    with pytest.raises(RuntimeError, match="within"), run_folder(program) as folder:
        raise RuntimeError("within")
    assert not folder.base.exists()


def test_a_file_that_cannot_be_read_leaves_no_folder(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    with pytest.raises(FileNotFoundError), run_folder(program, [tmp_path / "missing.py"]):
        pass
    assert not list((tmp_path / "temporary").iterdir())


def test_links_are_removed_and_what_they_lead_to_stays(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    (folder / "in").mkdir(parents=True)
    outside.mkdir(mode=0o755)
    (outside / "kept").write_text("kept", encoding="utf-8")
    for place in (folder, folder / "in"):
        (place / "folder").symlink_to(outside)
        (place / "file").symlink_to(outside / "kept")
        (place / "broken").symlink_to("nowhere")
    remove(folder)
    assert not folder.exists()
    assert (outside / "kept").read_text(encoding="utf-8") == "kept"
    assert outside.stat().st_mode & 0o777 == 0o755


def test_names_that_it_would_use_itself(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "a" / "b" / "c").mkdir(parents=True)
    (folder / ".removed-0").write_text("", encoding="utf-8")
    (folder / ".removed-1" / "full" / "of").mkdir(parents=True)
    remove(folder)
    assert not folder.exists()


def test_what_is_closed_and_deep(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    name = "d" * 200
    opened = [os.open(folder, os.O_RDONLY)]
    for _ in range(60):  # a path of 12,000 characters
        os.mkdir(name, dir_fd=opened[-1])
        opened.append(os.open(name, os.O_RDONLY, dir_fd=opened[-1]))
    os.close(opened.pop())
    while opened:
        os.chmod(name, 0, dir_fd=opened[-1])
        os.close(opened.pop())
    remove(folder)
    assert not folder.exists()


def test_size_counts_no_further_than_it_has_to(program: Path) -> None:
    with run_folder(program) as folder:
        before = folder.size(1000)[1]
        for number in range(20):
            (folder.work / f"{number}").write_bytes(bytes(4096))
        (folder.work / "link").symlink_to("/")
        written, files = folder.size(1000)
        assert files == before + 21
        assert written >= 20 * 4096
        assert folder.size(5)[1] == 6
