"""A cache of downloads with their validators, so that a sync can resume and ask for changes only.

Each download is a file in `TORCHNOTES_HOME/sync`: a line of JSON, then the body as received. Files are
replaced atomically; damaged ones are treated as missing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from ingest.errors import TorchnotesError
from ingest.unwritable import unwritable

_STATE = "state.json"
_LOCK = "sync.lock"
_GOES_ON_WITHIN = timedelta(days=1)  # an interrupted sync can be resumed for so long


@dataclass(frozen=True, slots=True)
class Download:
    """A downloaded body with its source and validators.

    Attributes:
        url: address that was requested.
        address: final address, after redirects.
        moved_to: the final address if the document moved permanently, else "".
        etag: the ETag header, "" if there was none.
        modified: the Last-Modified header, "" if there was none.
        media_type: media type, such as "text/html".
        next: address of the next page of a list, "" if there is none.
        checked: time when the server last confirmed that it is current, in seconds since 1970.
        body: body as received.
    """

    url: str
    address: str
    moved_to: str
    etag: str
    modified: str
    media_type: str
    next: str
    checked: float
    body: bytes


class Downloads:
    """The downloads of a data folder.

    Args:
        home: the data folder.
    """

    def __init__(self, home: Path) -> None:
        self.folder = home / "sync"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold an exclusive lock on the downloads.

        Raises:
            TorchnotesError: another sync is running, or the folder cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.folder / _LOCK)
            lock.acquire(timeout=0)
        except Timeout as error:  # a subclass of OSError, so it comes first
            raise TorchnotesError("another sync is running; try again when it is done") from error
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            yield
        finally:
            lock.release()

    def find(self, url: str) -> Download | None:
        """Return the stored download of an address, None if it is missing or damaged.

        Args:
            url: address that was requested.
        """
        try:
            head, _, body = self._path(url).read_bytes().partition(b"\n")
            facts: dict[str, Any] = json.loads(head)
            whole = facts.pop("sha256") == hashlib.sha256(body).hexdigest()
            found = Download(**facts, body=body)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        return found if whole and found.url == url else None

    def keep(self, download: Download) -> None:
        """Store a download, replacing an older one of the same address.

        Args:
            download: the download.

        Raises:
            TorchnotesError: the file cannot be written.
        """
        facts = {**asdict(download), "sha256": hashlib.sha256(download.body).hexdigest()}
        del facts["body"]
        head = json.dumps(facts, ensure_ascii=False).encode()
        self._write(self._path(download.url), head + b"\n" + download.body)

    def begin(self, now: float) -> float:
        """Record the start of a sync, or resume one that was interrupted less than a day ago.

        Args:
            now: current time, in seconds since 1970.

        Returns:
            Start of the sync, in seconds since 1970; earlier than `now` if it is resumed. Downloads checked
            since then need not be requested again.

        Raises:
            TorchnotesError: the file cannot be written.
        """
        state = _read_state(self.folder)
        begun = _moment(state.get("begun"))
        today = datetime.fromtimestamp(now, timezone.utc)
        if begun and timedelta(0) <= today - begun <= _GOES_ON_WITHIN:
            return begun.timestamp()
        self._write_state({**state, "begun": today.isoformat()})
        return now

    def end(self, now: float) -> None:
        """Record that the sync has completed.

        Args:
            now: current time, in seconds since 1970.

        Raises:
            TorchnotesError: the file cannot be written.
        """
        self._write_state({"synced": datetime.fromtimestamp(now, timezone.utc).isoformat()})

    def _path(self, url: str) -> Path:
        words = re.sub(r"[^A-Za-z0-9.]+", "-", url.partition("://")[2]).strip("-.")[-60:]
        return self.folder / f"{words}-{hashlib.sha256(url.encode()).hexdigest()[:10]}.download"

    def _write_state(self, state: dict[str, str]) -> None:
        self._write(self.folder / _STATE, json.dumps(state).encode())

    def _write(self, path: Path, content: bytes) -> None:
        beside = path.with_name(f"tmp-{path.name}")
        try:
            try:
                beside.write_bytes(content)
                beside.replace(path)
            finally:
                beside.unlink(missing_ok=True)
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> TorchnotesError:
        return unwritable(f"downloads {self.folder}", self.folder, error)


def last_sync(home: Path) -> datetime | None:
    """Return when a sync last completed, with its time zone; None if none did.

    Args:
        home: the data folder.
    """
    return _moment(_read_state(home / "sync").get("synced"))


def _read_state(folder: Path) -> dict[str, str]:
    try:
        state = json.loads((folder / _STATE).read_bytes())
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}


def _moment(text: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return moment if moment and moment.tzinfo else None
