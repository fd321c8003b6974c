"""What ships: the digests are found, readable, and change their fingerprint when they change."""

from __future__ import annotations

from pathlib import Path

import pytest

import corpus.shipped
from assistant.factory import shipped_documents
from corpus.shipped import SHIPPED, digest_paths, fingerprint, vector_paths


@pytest.fixture
def digests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of digests in place of those that ship."""
    for language in ("zh", "en"):
        (tmp_path / language).mkdir()
        (tmp_path / language / "2.4.md").write_text(f"# {language}\n", encoding="utf-8")
    monkeypatch.setattr(corpus.shipped, "DIGESTS", tmp_path)
    return tmp_path


def test_every_digest_ships_in_both_languages() -> None:
    names = {(path.parent.name, path.stem) for path in digest_paths()}
    assert {stem for language, stem in names if language == "en"} >= {"2.0", "2.4", "2.8"}
    assert {("zh" if language == "en" else "en", stem) for language, stem in names} == names


def test_every_digest_is_a_document_of_its_release_and_language() -> None:
    documents = shipped_documents()
    assert len({document.id for document in documents}) == len(documents) == len(digest_paths())
    for path, document in zip(digest_paths(), documents, strict=True):
        assert document.origin == f"{SHIPPED}{path.parent.name}/{path.name}"
        assert (document.language, document.version) == (path.parent.name, path.stem)
        assert document.kind == "digest" and document.url.startswith("https://")


def test_paths_are_sorted(digests: Path) -> None:
    (digests / "notes.txt").write_text("no digest", encoding="utf-8")
    assert [path.relative_to(digests).as_posix() for path in digest_paths()] == ["en/2.4.md", "zh/2.4.md"]


def test_the_fingerprint_is_that_of_names_and_content(digests: Path) -> None:
    first = fingerprint()
    assert fingerprint() == first and len(first) == 16
    path = digests / "en" / "2.4.md"
    path.write_text("# changed\n", encoding="utf-8")
    second = fingerprint()
    assert second != first
    path.rename(path.with_name("2.5.md"))
    third = fingerprint()
    assert third not in (first, second)
    (digests / "en" / "2.5.md").unlink()
    assert fingerprint() not in (first, second, third)


def test_the_fingerprint_does_not_tell_where_the_digests_lie(
    digests: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = fingerprint()
    moved = tmp_path_factory.mktemp("elsewhere") / "digests"
    digests.rename(moved)
    monkeypatch.setattr(corpus.shipped, "DIGESTS", moved)
    assert fingerprint() == before


def test_a_text_that_moves_between_files_changes_the_fingerprint(digests: Path) -> None:
    before = fingerprint()
    english, chinese = digests / "en" / "2.4.md", digests / "zh" / "2.4.md"
    left, right = english.read_bytes(), chinese.read_bytes()
    english.write_bytes(right)
    chinese.write_bytes(left)
    assert fingerprint() != before


def test_vectors_are_found_where_they_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus.shipped, "VECTORS", tmp_path / "none")
    assert vector_paths() == []
    monkeypatch.setattr(corpus.shipped, "VECTORS", tmp_path)
    for name in ("b.npz", "a.npz", "c.tmp"):
        (tmp_path / name).touch()
    assert [path.name for path in vector_paths()] == ["a.npz", "b.npz"]


def test_what_ships_is_small() -> None:
    data = [path for path in corpus.shipped.HERE.rglob("*") if path.suffix in (".md", ".npz", ".toml")]
    assert len(data) > len(digest_paths())
    assert sum(path.stat().st_size for path in data) < 17_000_000
