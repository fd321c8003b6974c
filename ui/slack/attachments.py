"""Reading of attached files: text only, and a bounded part of it."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from ingest.document import Language
from ui.slack import bot_messages as words
from ui.slack.attached_file import AttachedFile
from ui.slack.mrkdwn import plain
from ui.slack.worker import TryAgainError

_LARGEST = 5 * 1024 * 1024  # bytes; a larger file is left out
_TEXTS = (
    "application/json",
    "application/x-python",
    "application/x-sh",
    "application/x-yaml",
    "application/xml",
)
_SUFFIXES = (
    ".py",
    ".log",
    ".txt",
    ".md",
    ".sh",
    ".toml",
    ".yaml",
    ".yml",
    ".json",
    ".cfg",
    ".ini",
    ".err",
    ".out",
)
_TROUBLE = re.compile(r"error|exception|traceback|warning|deprecat|removed|错误|异常|警告", re.I)
_MOST = 2_000  # characters of all excerpts: more would drown the question
_LEAST = 200  # characters of room below which a file is left out
_LONGEST_LINE = 300  # characters
_TIMEOUT = 20.0  # seconds
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReadFiles:
    """What was read of the files of a message.

    Attributes:
        text: excerpts, to follow the question.
        notes: mrkdwn, what was read and what was left out.
    """

    text: str = ""
    notes: tuple[str, ...] = ()


class FileReader:
    """Reads attached files.

    Args:
        token: token of the bot, sent to Slack only.
        root: address of the Web API; files are read from Slack, and from its host.
    """

    def __init__(self, token: str, root: str) -> None:
        self._token = token
        self._host = urlsplit(root).netloc

    def read(
        self, files: tuple[AttachedFile, ...], room: int, language: Language, *, patient: bool = False
    ) -> ReadFiles:
        """Read the files of a message.

        Args:
            files: the files.
            room: maximum number of characters of all excerpts.
            language: language of the notes.
            patient: raise an error in an outage; else the files are left out.

        Raises:
            TryAgainError: Slack is out, and the caller is patient.
        """
        parts: list[str] = []
        notes: list[str] = []
        for file in files:
            left = min(room, _MOST) - sum(len(part) + 2 for part in parts)
            name = plain(file.name)
            try:
                text, reason = self._text(file, language, left > _LEAST)
            except TryAgainError as error:
                if patient:
                    raise
                _log.warning("%s", error)
                text, reason = "", words.NOT_NOW[language]
            if reason:
                notes.append(words.LEFT_OUT[language].format(name=name, reason=reason))
                continue
            part, whole = excerpt(text, left)
            parts.append(part)
            note = words.READ_FILE if whole else words.READ_PART
            notes.append(note[language].format(name=name, count=part.count("\n") + 1))
        return ReadFiles("\n\n".join(parts), tuple(notes))

    def code(self, files: tuple[AttachedFile, ...], language: Language) -> str:
        """Return the text of the first Python file among those of a message, "" if it is not given.

        Args:
            files: the files.
            language: language of the log.

        Raises:
            TryAgainError: Slack is out.
        """
        found = next((each for each in files if each.name.lower().endswith(".py")), None)
        return self._text(found, language, True)[0] if found else ""

    def _text(self, file: AttachedFile, language: Language, fits: bool) -> tuple[str, str]:
        """Return the text of a file, or why it is left out."""
        textual = file.media_type.startswith("text/") or file.media_type in _TEXTS
        if not (textual or file.name.lower().endswith(_SUFFIXES)):
            return "", words.NO_TEXT[language]
        if not fits:
            return "", words.NO_ROOM[language]
        if file.size > _LARGEST:
            return "", words.TOO_LARGE[language]
        data = self._data(file)
        if data is None:
            return "", words.NOT_GIVEN[language]
        if len(data) > _LARGEST:
            return "", words.TOO_LARGE[language]
        if b"\0" in data:
            return "", words.NO_TEXT[language]
        return data.decode("utf-8", "replace"), ""

    def _data(self, file: AttachedFile) -> bytes | None:
        """Return the bytes of a file, at most one more than allowed; None if Slack does not give it."""
        import httpx

        if not self._of_slack(file.url):
            _log.warning("a file has an address that is not Slack's; it is not read")
            return None
        data = b""
        headers = {"Authorization": f"Bearer {self._token}"}
        try:
            with httpx.stream("GET", file.url, headers=headers, timeout=_TIMEOUT) as reply:  # no redirects
                if reply.status_code == 429 or reply.status_code >= 500:
                    raise TryAgainError(f"a file is not given ({reply.status_code})")
                page = "html" in reply.headers.get("content-type", "") and "html" not in file.media_type
                if reply.status_code != 200 or page:  # a page for signing in stands for a missing scope
                    _log.warning("a file is not given: %s; is the scope files:read there?", reply.status_code)
                    return None
                for part in reply.iter_bytes():
                    data += part
                    if len(data) > _LARGEST:
                        break
        except httpx.TransportError as error:
            raise TryAgainError(f"a file is not given ({error})") from None
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:  # the last of a name of no host
            _log.warning("a file is not given: %s", error)
            return None
        return data

    def _of_slack(self, url: str) -> bool:
        """Return whether an address may see the token."""
        try:
            parts = urlsplit(url)
            host = parts.hostname or ""
        except ValueError:
            return False
        ours = parts.netloc == self._host and not parts.netloc.endswith("slack.com")
        return ours or (parts.scheme == "https" and (host == "slack.com" or host.endswith(".slack.com")))


def excerpt(text: str, room: int) -> tuple[str, bool]:
    """Return the part of a file that tells most: what surrounds errors and warnings, else its beginning.

    Args:
        text: text of the file.
        room: maximum number of characters.

    Returns:
        The part, and whether it is the whole file.

    >>> excerpt("fine\\n" * 99 + "ValueError: x", 60)[0].endswith("ValueError: x")
    True
    """
    lines = [line.rstrip()[:_LONGEST_LINE] for line in text.strip().split("\n")]
    if len(text.strip()) <= room and all(len(line) < _LONGEST_LINE for line in lines):
        return "\n".join(lines), True
    marked = [number for number, line in enumerate(lines) if _TROUBLE.search(line)]
    order = [near for number in reversed(marked) for near in (number, number - 1, number + 1)]
    kept: set[int] = set()
    for number in order or range(len(lines)):
        if 0 <= number < len(lines) and number not in kept:
            if len(lines[number]) + 1 > room:
                break
            room -= len(lines[number]) + 1
            kept.add(number)
    return "\n".join(lines[number] for number in sorted(kept)), False
