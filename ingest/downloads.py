"""What was downloaded, kept with what tells whether it is still the newest, so that a sync can go on.

One file a download in `TORCHNOTES_HOME/sync`: a line of JSON, then the body as it came. A file is written
beside and renamed; one that is damaged all the same counts as missing.
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
_GOES_ON_WITHIN = timedelta(days=1)  # a sync that was cut off longer ago begins anew


@dataclass(frozen=True, slots=True)
class Download:
    """A body and where it came from.

    Attributes:
        url: what was asked for.
        address: where it stood, after redirects.
        moved_to: the same, if it moved for good; "" otherwise.
        etag, modified: the ETag and Last-Modified it came with, "" where there were none.
        media_type: as in "text/html".
        next: address of the next page of a list, "" if there is none.
        checked: seconds since 1970 when the server last said that this is the newest.
        body: as it came.
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
    """The downloads of a home folder."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "sync"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Be the only sync of this folder.

        Raises:
            TorchnotesError: another one is at it, or the folder cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.folder / _LOCK)
            lock.acquire(timeout=0)
        except Timeout as error:  # an OSError too
            raise TorchnotesError("another sync is running; try again when it is done") from error
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            yield
        finally:
            lock.release()

    def find(self, url: str) -> Download | None:
        """The download of an address, None if there is none that can be read."""
        try:
            head, _, body = self._path(url).read_bytes().partition(b"\n")
            facts: dict[str, Any] = json.loads(head)
            whole = facts.pop("sha256") == hashlib.sha256(body).hexdigest()
            found = Download(**facts, body=body)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        return found if whole and found.url == url else None

    def keep(self, download: Download) -> None:
        """Write a download, in the place of an older one of its address."""
        facts = {**asdict(download), "sha256": hashlib.sha256(download.body).hexdigest()}
        del facts["body"]
        head = json.dumps(facts, ensure_ascii=False).encode()
        self._write(self._path(download.url), head + b"\n" + download.body)

    def begin(self, now: float) -> float:
        """Note that a sync begins.

        Returns:
            When it began, in seconds since 1970: earlier than `now` if it goes on with one that was cut off.
            What was checked since then need not be asked for again.
        """
        state = _read_state(self.folder)
        begun = _moment(state.get("begun"))
        today = datetime.fromtimestamp(now, timezone.utc)
        if begun and timedelta(0) <= today - begun <= _GOES_ON_WITHIN:
            return begun.timestamp()
        self._write_state({**state, "begun": today.isoformat()})
        return now

    def end(self, now: float) -> None:
        """Note that a sync came to its end."""
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
    """When a sync last came to its end, with its zone; None if none did."""
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
