"""JSON of the GitHub releases API."""

from __future__ import annotations

import json

import pytest

from ingest.github import read_releases

RELEASE = {
    "tag_name": "v2.7.0",
    "name": "PyTorch 2.7.0 Release",
    "html_url": "https://github.com/pytorch/pytorch/releases/tag/v2.7.0",
    "published_at": "2025-04-23T16:16:58Z",
    "body": "# Highlights\n\nMega Cache.",
}


def test_one_release() -> None:
    (notes,) = read_releases(json.dumps(RELEASE))
    assert notes.name == "v2.7.0" and notes.body == "# Highlights\n\nMega Cache." and not notes.problem
    assert notes.facts == {
        "url": RELEASE["html_url"],
        "title": "PyTorch 2.7.0 Release",
        "date": "2025-04-23T16:16:58Z",
        "kind": "release-notes",
        "release": "2.7",
    }


def test_a_title_is_one_line_of_plain_text() -> None:
    name = "# PyTorch **2.7**\n[Release](https://x.y)  \r\n"
    (notes,) = read_releases(json.dumps(RELEASE | {"name": name, "tag_name": "v2.7.0\nx"}))
    assert (notes.name, notes.facts["title"]) == ("v2.7.0 x", "PyTorch 2.7 Release")


def test_a_list_goes_on_after_a_bad_entry() -> None:
    entries = [RELEASE, {"tag_name": "v2.6.0", "body": None}, 7, RELEASE | {"tag_name": "v2.8.0"}]
    problems = [notes.problem for notes in read_releases(json.dumps(entries))]
    assert [bool(problem) for problem in problems] == [False, True, True, False]
    assert "no notes" in problems[1] and "tag_name and body" in problems[2]


def test_another_projects_release_is_no_pytorch_release() -> None:
    vision = {
        "tag_name": "v0.19.0",
        "name": "Torchvision 0.19",
        "body": "x",
        "html_url": "https://github.com/pytorch/vision/releases/tag/v0.19.0",
    }
    (notes,) = read_releases(json.dumps(vision))
    assert notes.facts["kind"] == "user" and "release" not in notes.facts


@pytest.mark.parametrize(
    ("name", "url"),
    [("PyTorch 2.7.0", "https://github.com/pytorch/pytorch/releases/tag/v2.7.0"), ("2.7", None)],
)
def test_a_missing_address_follows_from_the_title_only(name: str, url: str | None) -> None:
    (notes,) = read_releases(json.dumps({"tag_name": "v2.7.0", "body": "x", "name": name}))
    assert notes.facts.get("url") == url


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "broken JSON at line 1"),
        ("[]", "no releases in it"),
        ('{"a": 1}', "no releases in it; releases of the GitHub API are read"),
        ("3", "no releases in it"),
        ("[" * 100_000, "JSON"),
    ],
    ids=["broken", "empty", "other object", "number", "deep"],
)
def test_other_json_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        read_releases(text)
    assert "\n" not in str(caught.value)
