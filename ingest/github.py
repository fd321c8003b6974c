"""Releases as the GitHub API gives them: one object, or a list of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ingest.addresses import is_release_page, release_of_name, release_page
from ingest.markup import inline_text

_WANTED = "releases of the GitHub API are read: an object or a list of objects with tag_name and body"


@dataclass(frozen=True, slots=True)
class ReleaseNotes:
    """One release of a JSON file.

    Attributes:
        name: tells it from the others of the file: its tag, or its place in the list.
        facts: url, release, title, date and kind where given, under the names of front matter fields.
        body: its Markdown text, "" if it cannot be taken.
        problem: why it cannot be taken, "" if it can.
    """

    name: str
    facts: dict[str, str]
    body: str
    problem: str = ""


def read_releases(text: str) -> Iterator[ReleaseNotes]:
    """The releases in the JSON `text`, in order; a bad entry of a list comes with its `problem`.

    Raises:
        ValueError: it is no JSON, or no list of releases; the message fits in one line.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"broken JSON at line {error.lineno} ({error.msg}); {_WANTED}") from error
    except RecursionError as error:
        raise ValueError(f"JSON nested too deeply; {_WANTED}") from error
    entries = data if isinstance(data, list) else [data]
    if not any(isinstance(entry, dict) and {"tag_name", "body"} <= entry.keys() for entry in entries):
        raise ValueError(f"JSON, but no releases in it; {_WANTED}")
    return (_release(entry, number) for number, entry in enumerate(entries, 1))


def _release(entry: object, number: int) -> ReleaseNotes:
    if not isinstance(entry, dict) or not isinstance(entry.get("tag_name"), str):
        return ReleaseNotes(f"entry {number}", {}, "", f"it is no release; {_WANTED}")
    tag = " ".join(entry["tag_name"].split())
    body = entry.get("body")
    if not isinstance(body, str) or not body.strip():
        return ReleaseNotes(tag, {}, "", "the release has no notes (body is empty)")
    url, title, date = (_text(entry, name) for name in ("html_url", "name", "published_at"))
    title = inline_text(title)
    # Without an address the title has to say whose release it is: a tag like v0.19.0 is anybody's.
    if not url and "pytorch" in title.lower():
        url = release_page(tag)
    facts = {"url": url, "title": title or tag, "date": date}
    if is_release_page(url):
        release = release_of_name(tag.partition("-")[0])
        facts |= {"kind": "release-notes", "release": str(release) if release else ""}
    else:
        facts["kind"] = "user"
    return ReleaseNotes(tag, {name: value for name, value in facts.items() if value}, body)


def _text(entry: dict[str, Any], name: str) -> str:
    value = entry.get(name)
    return value.strip() if isinstance(value, str) else ""
