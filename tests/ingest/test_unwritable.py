"""What is said of files that cannot be written."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from ingest.unwritable import unwritable


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            OSError(errno.ENOSPC, "No space left on device"),
            r"\(No space left on device, [\d.]+ [kMG]?B free\)",
        ),
        (
            RuntimeError(f"Error in faiss: write error ({os.strerror(errno.ENOSPC)})\nmore"),
            r" free\); make room",
        ),
        (
            PermissionError(errno.EACCES, "Permission denied", "/a/b"),
            r"\(Permission denied: /a/b\); make that",
        ),
        (IsADirectoryError(errno.EISDIR, "Is a directory", "/a/lock"), r": /a/lock\); remove that folder"),
        (IsADirectoryError(errno.EISDIR, "Is a directory", "/tmp-b", None, "/b"), r"directory: /b\); remove"),
        (RuntimeError("odd\nmore"), r"cannot be written \(odd\); make that folder writable"),
    ],
    ids=["full", "full, by FAISS", "not allowed", "a folder", "renamed onto a folder", "unknown"],
)
def test_one_line_says_why_and_what_to_do(tmp_path: Path, error: Exception, said: str) -> None:
    refused = unwritable("index x", tmp_path / "no" / "such", error)
    assert str(refused).startswith("index x: cannot be written (") and "\n" not in str(refused)
    assert str(refused).endswith("type the same command again")
    with pytest.raises(type(refused), match=said):
        raise refused
