"""The language model chosen by `torchnotes model use`, stored in the data folder without any key."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ingest.errors import TorchnotesError
from ingest.unwritable import unwritable

FILE = "model.json"
_LARGEST = 64 * 1024  # bytes; what we write has a few hundred


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A language model to use where neither arguments nor environment name one.

    Attributes:
        llm_url: root of the API of a server, or "" for a file.
        llm_model: name of the model on the server, or "".
        llm_file: path of a GGUF file that runs in this process, or "".
        llm_context: context in tokens; 0 for the default.
        llm_tools: whether the model may call functions.
    """

    llm_url: str = ""
    llm_model: str = ""
    llm_file: str = ""
    llm_context: int = 0
    llm_tools: bool = False

    def settings(self) -> dict[str, Any]:
        """Return the settings that are chosen, by name."""
        return {name: value for name, value in asdict(self).items() if value}


def load_choice(home: Path) -> ModelChoice | None:
    """Read the stored choice.

    Args:
        home: data folder.

    Returns:
        The choice, or None if there is none.

    Raises:
        TorchnotesError: the file is damaged or unreadable.
    """
    path = home / FILE
    try:
        with path.open("rb") as file:
            held = json.loads(file.read(_LARGEST))
        kinds = {"llm_url": str, "llm_model": str, "llm_file": str, "llm_context": int, "llm_tools": bool}
        if not isinstance(held, dict) or any(
            type(held.get(name)) is not kind for name, kind in kinds.items()
        ):
            raise ValueError("it is no stored choice of a model")
        return ModelChoice(**{name: held[name] for name in kinds})
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, RecursionError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).partition("\n")[0]
        raise TorchnotesError(
            f"{path} cannot be read ({reason}); type `torchnotes model off`, then `torchnotes model use NAME`"
        ) from None


def store_choice(home: Path, choice: ModelChoice) -> None:
    """Store a choice in place of the one before.

    Args:
        home: data folder, created if necessary.
        choice: the choice.

    Raises:
        TorchnotesError: the file cannot be written.
    """
    path, beside = home / FILE, home / f"{FILE}.{os.getpid()}.tmp"
    try:
        home.mkdir(parents=True, exist_ok=True)
        try:
            beside.write_text(json.dumps(asdict(choice), ensure_ascii=False, indent=2), encoding="utf-8")
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(str(path), home, error) from error


def drop_choice(home: Path) -> bool:
    """Delete the stored choice, damaged or not.

    Args:
        home: data folder.

    Returns:
        Whether there was one.

    Raises:
        TorchnotesError: the file cannot be deleted.
    """
    try:
        (home / FILE).unlink()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise unwritable(str(home / FILE), home, error) from error
    return True
