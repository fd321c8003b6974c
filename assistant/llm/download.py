"""Downloads models of the catalogue from the Hugging Face hub, or from the mirror that HF_ENDPOINT names.

A download that was interrupted goes on where it ended. The file gets its final name only after its checksum
has been verified.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from assistant.llm.catalogue import CatalogueModel
from ingest.errors import TorchnotesError
from ingest.unwritable import FULL, unwritable

_BLOCK = 1024 * 1024
_MEGABYTE = 1000 * 1000
_SPARE = 100 * 1024 * 1024  # bytes that stay free

#: Called with stage ("get" or "check"), megabytes done and total megabytes.
DownloadProgress = Callable[[str, int, int], None]


def download(
    model: CatalogueModel, home: Path, progress: DownloadProgress, *, endpoint: str | None = None
) -> Path:
    """Download and verify a model.

    Args:
        model: model of the catalogue.
        home: data folder.
        progress: called while bytes arrive and while they are verified.
        endpoint: root of the hub; None for HF_ENDPOINT or the hub itself.

    Returns:
        Path of the file; at once if it is there already.

    Raises:
        TorchnotesError: the hub does not answer, has another file, or there is no room for it.
    """
    path = model.path(home)
    if path.is_file():
        return path
    partial = path.with_suffix(".partial")
    try:
        partial.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock"), timeout=0):
            _check_room(model, partial)
            _fetch(model, partial, progress, endpoint)
            if (found := _checksum(partial, progress)) == model.sha256:
                os.replace(partial, path)
                return path
            partial.unlink()
            raise TorchnotesError(
                f"{model.file}: the download is damaged or another file (sha256 {found[:12]}…, expected "
                f"{model.sha256[:12]}…) and has been deleted; type the same command again"
            )
    except Timeout:
        raise TorchnotesError(
            f"{model.name} is being downloaded by another process; wait for it, then type this again"
        ) from None
    except OSError as error:
        if error.errno in FULL or isinstance(error, PermissionError):
            raise unwritable(str(path), path.parent, error) from error
        raise _failed(model, error) from error


def _fetch(model: CatalogueModel, partial: Path, progress: DownloadProgress, endpoint: str | None) -> None:
    """Download a file, going on where an earlier download ended."""
    from huggingface_hub import get_hf_file_metadata, hf_hub_url
    from huggingface_hub.file_download import http_get

    try:
        url = hf_hub_url(model.repository, model.file, revision=model.revision, endpoint=endpoint)
        # Without a token: the models are public, and nobody needs to know whose download it is.
        told = get_hf_file_metadata(url, token=False, endpoint=endpoint)
        if told.size not in (None, model.size):
            raise TorchnotesError(
                f"{model.file}: the hub has a file of {told.size:,} bytes, expected {model.size:,}; set "
                "HF_ENDPOINT to another mirror, or unset it"
            )
        if told.etag and len(told.etag) == len(model.sha256) and told.etag != model.sha256:
            raise TorchnotesError(
                f"{model.file}: the hub has another file (sha256 {told.etag[:12]}…, expected "
                f"{model.sha256[:12]}…); set HF_ENDPOINT to another mirror, or unset it"
            )
        with partial.open("ab") as file:
            if file.tell() > model.size:  # of another file
                file.truncate(0)
            http_get(
                told.location,
                file,
                resume_size=file.tell(),
                expected_size=model.size,
                displayed_filename=model.file,
                tqdm_class=_progress_bar(progress, model),
            )
    except _network_errors() as error:
        raise _failed(model, error) from error


def _failed(model: CatalogueModel, error: Exception) -> TorchnotesError:
    reason = " ".join(str(error.__cause__ or error).split())[:200] or type(error).__name__
    return TorchnotesError(
        f"{model.repository} cannot be downloaded ({reason}); type the same command again, which goes on "
        "where this ended, or set HF_ENDPOINT to a mirror of the hub"
    )


def _network_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions of the hub's client and of the HTTP libraries that it uses or has used."""
    import importlib

    from huggingface_hub.errors import HfHubHTTPError

    found: list[type[Exception]] = [HfHubHTTPError]
    for library in ("httpx", "httpx2"):
        try:
            found.append(importlib.import_module(library).HTTPError)
        except ImportError:
            continue
    return tuple(found)


def _progress_bar(progress: DownloadProgress, model: CatalogueModel) -> Any:  # noqa: ANN401 - imported late
    """Return a class in place of the hub client's progress bar."""
    from huggingface_hub.utils.tqdm import tqdm

    size = model.size

    class ProgressBar(tqdm):
        """Calls `progress` instead of drawing, and ends what would go on for ever and fill the disk."""

        def __init__(self, *arguments: Any, **given: Any) -> None:
            self._done = int(given.get("initial") or 0)
            super().__init__(*arguments, **{**given, "disable": True})  # type: ignore[no-untyped-call]

        def update(self, n: float | None = 1) -> bool | None:
            self._done += int(n or 0)
            if self._done > size:
                raise TorchnotesError(
                    f"{model.file}: the hub sends more than the {size:,} bytes that it has; set HF_ENDPOINT "
                    "to another mirror, or unset it"
                )
            progress("get", min(self._done, size) // _MEGABYTE, size // _MEGABYTE)
            return None

    return ProgressBar


def _checksum(path: Path, progress: DownloadProgress) -> str:
    """Return the sha256 of a file."""
    digest, done, size = hashlib.sha256(), 0, path.stat().st_size
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            done += len(block)
            progress("check", done // _MEGABYTE, size // _MEGABYTE)
    return digest.hexdigest()


def _check_room(model: CatalogueModel, partial: Path) -> None:
    """Check that the disk has room for the rest of a file.

    Raises:
        TorchnotesError: it has not.
    """
    arrived = partial.stat().st_size if partial.exists() else 0
    free = shutil.disk_usage(partial.parent).free
    if free < model.size - arrived + _SPARE:
        raise TorchnotesError(
            f"{model.name} needs {model.shown_size}, and {free / 1e9:.1f} GB are free in {partial.parent}; "
            "make room, or set TORCHNOTES_HOME to a folder on another disk"
        )
