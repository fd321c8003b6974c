"""jieba's dictionary: made once, read from where it is kept, made anew where it cannot be read."""

from __future__ import annotations

from pathlib import Path

import jieba
import pytest

from ingest.dictionary import load_tokenizer


def test_the_dictionary_is_kept_in_the_given_folder_and_read_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "caches" / "jieba"
    made = load_tokenizer(folder)
    assert [path.name for path in folder.iterdir()] == ["jieba.cache"]
    monkeypatch.setattr(jieba.Tokenizer, "gen_pfdict", None)  # nothing is parsed again
    read = load_tokenizer(folder)
    assert (read.FREQ, read.total) == (made.FREQ, made.total)
    assert read.lcut("分布式训练") == made.lcut("分布式训练")


@pytest.mark.parametrize(
    "kept", [b"", b"no marshal", b"\xe9\x01\x00\x00\x00"], ids=["empty", "text", "number"]
)
def test_a_cache_that_cannot_be_read_is_made_anew(tmp_path: Path, kept: bytes) -> None:
    (tmp_path / "jieba.cache").write_bytes(kept)
    assert load_tokenizer(tmp_path).lcut("编译器") == ["编译器"]
    assert (tmp_path / "jieba.cache").stat().st_size > 1_000_000


def test_a_cache_cut_short_is_made_anew(tmp_path: Path) -> None:
    load_tokenizer(tmp_path)
    cache = tmp_path / "jieba.cache"
    whole = cache.read_bytes()
    cache.write_bytes(whole[: len(whole) // 2])
    assert load_tokenizer(tmp_path).lcut("编译器") == ["编译器"]
    assert cache.stat().st_size == len(whole)


def test_a_folder_that_cannot_be_made_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "file").touch()
    assert load_tokenizer(tmp_path / "file" / "cache").lcut("编译") == ["编译"]
    assert (tmp_path / "jieba.cache").is_file() and not capfd.readouterr().err
