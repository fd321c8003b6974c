"""Programs of the user's own: what can be one, and what cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.api_usage.snippet import LARGEST, read_snippet, snippet_of
from ingest.errors import SourceError
from tests.rows import each_row


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "my file.py"
    path.write_text("import torch\ntorch.abs", encoding="utf-8")
    snippet = read_snippet(path)
    assert snippet.file == "my file.py" and snippet.code.startswith("import") and len(snippet.names) == 1


def test_a_file_may_name_its_encoding() -> None:
    content = "# -*- coding: gbk -*-\nprint('中文')\n".encode("gbk")
    assert "中文" in snippet_of(content).code and snippet_of(content).content == content


@each_row(
    ("content", "line"),
    [
        pytest.param(b"", "this is empty; give a Python file", id="empty"),
        pytest.param(b"\xff\xfe\x00PK", "this is no text in UTF-8", id="binary"),
        pytest.param(b"x = 1\x00", "this is no text in UTF-8", id="null"),
        pytest.param(b"import torch\nx = (", r"this is no Python \(line 2: .*\); mend it", id="syntax"),
        pytest.param(b"x" * (LARGEST + 1), "this is larger than 256 KB", id="large"),
        pytest.param(b"# coding: klingon\nx = 1", "nor in an encoding that it names", id="encoding"),
        pytest.param(b"x = " + b"(" * 500 + b")" * 500, "", id="deep"),
    ],
)
def test_what_cannot_be_run_is_one_line(content: bytes, line: str) -> None:
    with pytest.raises(SourceError, match=f"^standard input: .*{line}") as caught:
        snippet_of(content)
    assert "\n" not in str(caught.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    notebook = tmp_path / "a.ipynb"
    notebook.write_text("{}", encoding="utf-8")
    for path, line in (
        (tmp_path, "this is a folder"),
        (tmp_path / "none.py", r"cannot be read \(No such file"),
        (notebook, "this is a notebook"),
    ):
        with pytest.raises(SourceError, match=line):
            read_snippet(path)
