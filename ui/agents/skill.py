"""The skill for coding agents: instructions in the common form of a folder with a SKILL.md."""

from __future__ import annotations

from pathlib import Path

from ingest.errors import TorchnotesError

NAME = "torchnotes"
FILE = "SKILL.md"
_SHIPPED = Path(__file__).with_name(FILE)


def write_skill(folder: Path, *, replace: bool = False) -> Path:
    """Write the skill into a folder of skills.

    Args:
        folder: the folder of skills, such as ".agents/skills"; created if there is none.
        replace: whether to replace a file with other content.

    Returns:
        Path of the file.

    Raises:
        TorchnotesError: the file exists and has other content, or cannot be written.
    """
    path = folder / NAME / FILE
    text = _SHIPPED.read_text(encoding="utf-8")
    try:
        if path.is_file() and not replace and path.read_text(encoding="utf-8", errors="replace") != text:
            raise TorchnotesError(f"{path} holds something else; add --replace, or give another folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        reason = error.strerror or "it cannot be written"
        raise TorchnotesError(f"{path}: {reason}; give a folder that can be written") from error
    return path
