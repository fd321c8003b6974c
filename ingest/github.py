"""Releases in the JSON format of the GitHub API: a single object or a list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ingest.addresses import is_release_page, release_of_name, release_page
from ingest.markup import inline_text

_WANTED = "releases of the GitHub API are read: an object or a list of objects with tag_name and body"


@dataclass(frozen=True, slots=True)
class GitHubRelease:
    """One release of a JSON file.

    Attributes:
        name: the tag, or "entry N" for an entry without one.
        facts: url, release, title, date and kind where given, named like front matter fields.
        body: Markdown text, "" if it cannot be used.
        problem: why it cannot be used, "" if it can.
    """

    name: str
    facts: dict[str, str]
    body: str
    problem: str = ""


def read_releases(text: str) -> Iterator[GitHubRelease]:
    """Parse releases, in order; an invalid entry of a list is returned with its `problem`.

    Args:
        text: JSON, one release or a list of releases.

    Raises:
        ValueError: the text is not JSON, or contains no releases; the message is one line.
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


def _release(entry: object, number: int) -> GitHubRelease:
    if not isinstance(entry, dict) or not isinstance(entry.get("tag_name"), str):
        return GitHubRelease(f"entry {number}", {}, "", f"it is no release; {_WANTED}")
    tag = " ".join(entry["tag_name"].split())
    body = entry.get("body")
    if not isinstance(body, str) or not body.strip():
        return GitHubRelease(tag, {}, "", "the release has no notes (body is empty)")
    url, title, date = (_text(entry, name) for name in ("html_url", "name", "published_at"))
    title = inline_text(title)
    # Without an address, the title must name PyTorch: a tag like v0.19.0 could be of any project.
    if not url and "pytorch" in title.lower():
        url = release_page(tag)
    facts = {"url": url, "title": title or tag, "date": date}
    if is_release_page(url):
        release = release_of_name(tag.partition("-")[0])
        facts |= {"kind": "release-notes", "release": str(release) if release else ""}
    else:
        facts["kind"] = "user"
    return GitHubRelease(tag, {name: value for name, value in facts.items() if value}, body)


def _text(entry: dict[str, Any], name: str) -> str:
    value = entry.get(name)
    return value.strip() if isinstance(value, str) else ""
