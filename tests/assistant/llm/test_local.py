"""A model in this process: what is told where its package or its file is missing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from assistant.llm.local import LocalModel, check_gguf
from ingest.errors import LanguageModelError


def test_without_the_package_the_way_to_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    (tmp_path / "a.gguf").write_bytes(b"GGUF")
    with pytest.raises(LanguageModelError, match=r"type `pip install 'torchnotes\[local-model\]'`"):
        LocalModel(tmp_path / "a.gguf").ping()


def test_only_a_gguf_file_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "a.gguf"
    with pytest.raises(LanguageModelError, match="cannot be read"):
        check_gguf(path)
    path.write_bytes(b"<html>")
    with pytest.raises(LanguageModelError, match="is no GGUF file"):
        check_gguf(path)
    path.write_bytes(b"GGUF")
    assert check_gguf(path) == path
