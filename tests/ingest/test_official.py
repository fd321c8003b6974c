"""The official documents, from a server that speaks GitHub's API and has a blog."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from corpus.catalog import CatalogEntry, load_catalog
from ingest.downloads import Downloads, last_sync
from ingest.errors import TorchnotesError
from ingest.official import Collector, SyncOutcome, addresses, choose
from ingest.polite import ATTEMPTS, PoliteClient
from ingest.release import Release
from tests.ingest.github_server import LIST, Clock, Said, Site, notes_entry, post, post_entry, release, serve


class Collecting:
    """A home folder and a site, and syncs between them."""

    def __init__(self, home: Path, site: Site, clock: Clock) -> None:
        self.home, self.site, self.clock = home, site, clock

    def collect(
        self,
        entries: Sequence[CatalogEntry],
        *,
        end: bool = True,
        token: str = "",
        newer_than: Release | None = None,
    ) -> list[SyncOutcome]:
        downloads, api = Downloads(self.home), self.site.api
        client = PoliteClient(
            addresses(entries, api),
            api=api,
            token=token,
            clock=self.clock,
            now=self.clock,
            sleep=self.clock.sleep,
            max_bytes=1024 * 1024,
        )
        with downloads.held(), client:
            collector = Collector(downloads, client, api=api, now=self.clock)
            outcomes = collector.collect(entries, self.progress, newer_than=newer_than)
            if end and not client.limited:
                collector.finish()
        return outcomes

    def progress(self, stage: str, done: int, total: int) -> None:
        assert stage == "fetch" and 0 <= done <= total


@pytest.fixture
def collecting(tmp_path: Path, site: Site, clock: Clock) -> Collecting:
    """Three releases, two posts, and nothing downloaded yet."""
    site.releases = [release(f"v{version}") for version in ("2.5.0", "2.4.1", "2.4.0", "2.3.0")]
    site.pages["/blog/pytorch2-4"] = post("PyTorch 2.4 Release Blog", "PyTorch 2.4 brings libuv.")
    site.pages["/LatestChanges/PyTorch_V2.6"] = post("PyTorch 2.5 发布博客", "PyTorch 支持 Python 3.13。")
    return Collecting(tmp_path, site, clock)


def entries_of(site: Site) -> list[CatalogEntry]:
    """What the catalogue would list of the site."""
    return [
        notes_entry("2.3"),
        notes_entry("2.4"),
        post_entry("2.4", f"{site.root}/blog/pytorch2-4", day=date(2024, 7, 24)),
        post_entry("2.6", f"{site.root}/LatestChanges/PyTorch_V2.6", language="zh"),
    ]


def test_documents_say_what_the_catalogue_says(collecting: Collecting) -> None:
    entries = entries_of(collecting.site)
    outcomes = collecting.collect(entries)
    assert [outcome.entry for outcome in outcomes] == entries
    for outcome in outcomes:
        document, entry = outcome.document, outcome.entry
        assert document is not None and not outcome.problem and not outcome.moved_to
        assert (document.title, document.url, document.version) == (entry.title, entry.url, entry.release)
        assert (document.kind, document.language) == (entry.kind, entry.language)
    _, notes, blog, chinese = (outcome.document for outcome in outcomes)
    assert notes and "Something is new in v2.4.0." in notes.text
    assert notes.date == date(2024, 7, 24)  # which the catalogue does not tell, but the API
    assert blog and blog.date == date(2024, 7, 24)
    # Its own heading names the release before; that would stand above every section.
    assert chinese and "2.5" not in chinese.text and chinese.removed[0].excerpt == "PyTorch 2.5 发布博客"


def test_a_second_run_asks_only_what_changed(collecting: Collecting) -> None:
    entries = entries_of(collecting.site)
    first = collecting.collect(entries)
    collecting.site.asked.clear()
    collecting.site.pages["/blog/pytorch2-4"] += "<!-- changed -->"
    second = collecting.collect(entries)
    assert [o.document for o in second] == [o.document for o in first]
    conditional = {
        path.partition("?")[0]: "if-none-match" in headers for path, headers in collecting.site.asked
    }
    assert conditional == {LIST: True, "/blog/pytorch2-4": True, "/LatestChanges/PyTorch_V2.6": True}
    collecting.site.pages["/blog/pytorch2-4"] = post("PyTorch 2.4 Release Blog", "All is new.")
    third = collecting.collect(entries)[2].document
    assert third and "All is new." in third.text and first[2].document
    assert third.id == first[2].document.id and third.content_hash != first[2].document.content_hash


def test_the_list_is_read_page_by_page_as_far_as_needed(collecting: Collecting) -> None:
    collecting.site.page_size = 1
    (outcome,) = collecting.collect([notes_entry("2.4")])
    assert outcome.document
    pages = [path for path, _ in collecting.site.asked]
    assert pages[0] == f"{LIST}?per_page=100" and pages[1:] == [
        f"{LIST}?per_page=100&page={number}" for number in (2, 3)
    ]
    collecting.site.asked.clear()
    assert collecting.collect([notes_entry("2.3")])[0].document
    assert len(collecting.site.asked) == 4  # a 304 still knows the page after it


def test_one_that_fails_leaves_the_others(collecting: Collecting) -> None:
    site = collecting.site
    site.pages["/empty"] = "<html></html>"
    site.pages["/huge"] = "x" * 2_000_000
    site.script("/broken", *[Said(500)] * ATTEMPTS)
    site.releases[3]["body"] = ""
    names = ("missing", "broken", "empty", "huge")
    bad = [post_entry(f"2.{n}", f"{site.root}/{name}") for n, name in enumerate(names)]
    outcomes = collecting.collect([*bad, *entries_of(site), notes_entry("2.9")])
    problems = [outcome.problem for outcome in outcomes]
    for problem, words in zip(
        problems,
        [
            "404 Not Found",
            "500 Internal Server Error, 4 times",
            "no ",
            "longer than 1 MB",
            "the release has no notes",
            "",
            "",
            "",
            "there is no such release in http",
        ],
        strict=True,
    ):
        assert words in problem and bool(words) == bool(problem) and "\n" not in problem
    assert [outcome.document is None for outcome in outcomes] == [bool(problem) for problem in problems]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'[{"tag_name": "v2.4.0", "bo', "broken JSON at line 1"),
        (b'{"message": "Not what you want"}', "JSON, but no releases in it"),
        (b"", "the file is empty"),
        (b"<html>Please log in</html>", "broken JSON"),
    ],
    ids=["cut", "message", "empty", "html"],
)
def test_a_list_that_is_none_is_not_kept(collecting: Collecting, body: bytes, message: str) -> None:
    collecting.site.script(LIST, Said(200, {"Content-Type": "application/json", "ETag": '"bad"'}, body))
    entries = entries_of(collecting.site)
    outcomes = collecting.collect(entries)
    assert [message in outcome.problem for outcome in outcomes] == [True, True, False, False]
    collecting.site.asked.clear()
    assert all(outcome.document for outcome in collecting.collect(entries))
    assert "if-none-match" not in collecting.site.asked[0][1]


def test_a_list_that_leads_elsewhere_is_not_followed(collecting: Collecting) -> None:
    body = b'[{"tag_name": "v9.9.0", "body": "x"}]'
    headers = {"Content-Type": "application/json", "Link": '<http://127.0.0.2/api?page=2>; rel="next"'}
    collecting.site.script(LIST, Said(200, headers, body))
    (outcome,) = collecting.collect([notes_entry("2.4")])
    assert "the list goes on outside of the API" in outcome.problem


def test_what_moved_is_followed_and_told(collecting: Collecting) -> None:
    collecting.site.script("/old", *[Said(301, {"Location": "/blog/pytorch2-4"})] * 2)
    entry = post_entry("2.4", f"{collecting.site.root}/old")
    for _ in range(2):  # the second time it is a 304
        (outcome,) = collecting.collect([entry])
        assert outcome.document and outcome.document.url == entry.url  # and so its id stays
        assert outcome.moved_to == f"{collecting.site.root}/blog/pytorch2-4"


def test_a_limit_ends_the_notes_but_not_the_posts_and_the_next_run_goes_on(collecting: Collecting) -> None:
    site = collecting.site
    site.page_size = 3
    reset = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(collecting.clock.time) + 3000)}
    site.script(f"{LIST}?per_page=100&page=2", Said(403, reset))
    with serve() as blog:
        blog.pages["/a"] = post("PyTorch 2.4 Release Blog", "PyTorch 2.4 brings libuv.")
        entries = [notes_entry("2.4"), notes_entry("2.3"), post_entry("2.4", f"{blog.root}/a")]
        newest, older, told = collecting.collect(entries)
        assert newest.document and told.document
        assert "takes no more requests until" in older.problem and "GITHUB_TOKEN" in older.problem
        assert last_sync(collecting.home) is None
        site.asked.clear()
        collecting.clock.time += 3600
        assert all(outcome.document for outcome in collecting.collect(entries))
        assert [path for path, _ in site.asked] == [f"{LIST}?per_page=100&page=2"]
        assert len(blog.asked) == 1
    assert last_sync(collecting.home) is not None


def test_a_run_that_was_interrupted_goes_on(collecting: Collecting, monkeypatch: pytest.MonkeyPatch) -> None:
    site, entries = collecting.site, entries_of(collecting.site)

    def interrupt(stage: str, done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(collecting, "progress", interrupt)
    with pytest.raises(KeyboardInterrupt):
        collecting.collect(entries)
    assert site.paths() == [LIST, "/blog/pytorch2-4"]
    monkeypatch.undo()
    assert all(outcome.document for outcome in collecting.collect(entries))
    assert site.paths() == ["/LatestChanges/PyTorch_V2.6"]
    collecting.collect(entries)
    assert site.paths() == [LIST, "/blog/pytorch2-4", "/LatestChanges/PyTorch_V2.6"]


def test_a_server_without_etags_is_asked_anew(collecting: Collecting) -> None:
    collecting.site.validators = False
    entries = entries_of(collecting.site)
    first, second = collecting.collect(entries), collecting.collect(entries)
    assert [o.document for o in first] == [o.document for o in second]
    assert not any(
        {"if-none-match", "if-modified-since"} & headers.keys() for _, headers in collecting.site.asked
    )


def test_a_304_unasked_is_a_failure(collecting: Collecting) -> None:
    collecting.site.script("/blog/pytorch2-4", Said(304))
    assert "was not asked that" in collecting.collect(entries_of(collecting.site))[2].problem


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        ({"releases": "2.4"}, ["release-notes-2.4-en", "blog-2.4-en", "blog-2.4-zh"]),
        ({"releases": "2.4-2.5", "language": "zh"}, ["blog-2.4-zh", "blog-2.5-zh"]),
        ({"releases": "1.0-1.2", "kind": "release-notes"}, [f"release-notes-1.{n}-en" for n in range(3)]),
    ],
    ids=["release", "chinese", "notes"],
)
def test_entries_are_chosen(wanted: dict[str, str], ids: list[str]) -> None:
    assert [entry.id for entry in choose(load_catalog(), **wanted)] == ids


def test_without_a_wish_all_are_chosen() -> None:
    assert choose(load_catalog()) == list(load_catalog())


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"releases": "new"}, r"'new' names no releases; write 2\.4, 2\.0-2\.8 or 2\.1,2\.4"),
        ({"releases": "2.8", "language": "zh"}, r"no official document is listed for 2\.8 zh; .*--dry-run"),
    ],
    ids=["word", "chinese"],
)
def test_what_is_not_there_is_one_line(wanted: dict[str, str], message: str) -> None:
    with pytest.raises(TorchnotesError, match=message):
        choose(load_catalog(), **wanted)


def test_addresses_are_those_of_the_servers(site: Site) -> None:
    assert addresses(entries_of(site), site.api) == [
        f"{site.root}{LIST}?per_page=100",
        f"{site.root}/blog/pytorch2-4",
        f"{site.root}/LatestChanges/PyTorch_V2.6",
    ]


def test_later_releases_that_the_list_names_come_too(collecting: Collecting, site: Site) -> None:
    site.releases[:0] = [release(f"v{tag}") for tag in ("2.6.0-rc1", "2.10.0", "2.9.1", "2.9.0", "2.5.1")]
    entries = [notes_entry("2.3"), notes_entry("2.5")]
    assert len(collecting.collect(entries)) == 2
    found = collecting.collect(entries, newer_than=Release(2, 5))
    assert [outcome.entry.release for outcome in found] == ["2.3", "2.5", "2.10", "2.9"]
    assert all(outcome.document for outcome in found)
    assert [outcome.document.version for outcome in found[2:] if outcome.document] == ["2.10", "2.9"]
