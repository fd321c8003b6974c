"""Download of the catalogue's official documents: notes from GitHub's API, posts from their pages.

Metadata of the catalogue is curated and overrides what is detected. Documents that cannot be read are
reported and skipped.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from corpus.catalog import CatalogEntry
from ingest.addresses import GITHUB_API
from ingest.document import Document
from ingest.downloads import Download, Downloads
from ingest.encoding import decode
from ingest.errors import SourceError, TorchnotesError
from ingest.fetch import Page
from ingest.github import GitHubRelease, read_releases
from ingest.loaders import read_page
from ingest.reading import read_document
from ingest.release import Release, releases_in

if TYPE_CHECKING:
    from ingest.polite import PoliteClient

_TAGGED = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+)/releases/tag/([\w.+-]+)")
_FIRST_OF_RELEASE = re.compile(r"v(\d{1,2}\.\d{1,3})\.0")
_JSON = "application/vnd.github+json"
_HTML = "text/html, text/markdown, text/plain;q=0.9"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class SyncOutcome:
    """The result for one entry of the catalogue.

    Attributes:
        entry: the entry.
        document: the document, None if it could not be read.
        problem: why not, in one line; "" if it could.
        moved_to: the new address if the document moved permanently, else "".
    """

    entry: CatalogEntry
    document: Document | None
    problem: str = ""
    moved_to: str = ""


def choose(
    entries: Iterable[CatalogEntry], *, releases: str = "", language: str = "", kind: str = ""
) -> list[CatalogEntry]:
    """Select entries of the catalogue; an empty filter selects all.

    Args:
        entries: entries of the catalogue.
        releases: releases, as in "2.4", "2.0-2.8" or "2.1,2.4".
        language: "en" or "zh".
        kind: "blog" or "release-notes".

    Raises:
        TorchnotesError: `releases` cannot be parsed, or no entry matches.
    """
    entries = list(entries)
    known = {Release.parse(entry.release) for entry in entries}
    try:
        wanted = releases_in(releases, known) if releases else known
    except ValueError as error:
        raise TorchnotesError(str(error)) from error
    chosen = [
        entry
        for entry in entries
        if Release.parse(entry.release) in wanted
        and language in ("", entry.language)
        and kind in ("", entry.kind)
    ]
    if not chosen:
        asked = " ".join(word for word in (releases, language, kind) if word)
        raise TorchnotesError(
            f"no official document is listed for {asked}; ask for other releases, another language or kind: "
            "`torchnotes sync --dry-run` lists all"
        )
    return chosen


def addresses(entries: Iterable[CatalogEntry], api: str = GITHUB_API) -> list[str]:
    """Return the addresses to request for some entries, except for later pages of lists.

    Args:
        entries: entries of the catalogue.
        api: root of GitHub's API, or of a compatible mirror.
    """
    found = [_list_address(tagged[1], api) if (tagged := _tagged(e)) else e.url for e in entries]
    return list(dict.fromkeys(found))


class Collector:
    """Downloads documents, requesting again only what may have changed.

    Args:
        downloads: storage of the downloads.
        client: the HTTP client.
        api: root of GitHub's API, or of a compatible mirror.
        now: returns the current time in seconds since 1970.
    """

    def __init__(
        self,
        downloads: Downloads,
        client: PoliteClient,
        *,
        api: str = GITHUB_API,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._downloads, self._client, self._api, self._now = downloads, client, api, now
        self._begun = now()

    def collect(
        self,
        entries: Sequence[CatalogEntry],
        progress: Callable[[str, int, int], None] | None = None,
        *,
        newer_than: Release | None = None,
    ) -> list[SyncOutcome]:
        """Download documents.

        Args:
            entries: entries to download.
            progress: called with "fetch", the number of entries done, and their total.
            newer_than: also download the notes of later releases in the lists, though no entry names them;
                None: do not.

        Returns:
            The results for `entries`, in the same order, followed by those for later releases.

        Raises:
            TorchnotesError: the downloads cannot be written.
        """
        self._begun = self._downloads.begin(self._now())
        lists: dict[str, dict[str, CatalogEntry]] = {}
        for entry in entries:
            if tagged := _tagged(entry):
                lists.setdefault(tagged[1], {})[tagged[2]] = entry
        outcomes: dict[str, SyncOutcome] = {}
        later: list[SyncOutcome] = []

        def done(outcome: SyncOutcome) -> None:
            outcomes[outcome.entry.id] = outcome
            if progress:
                progress("fetch", len(outcomes), len(entries))

        if progress:
            progress("fetch", 0, len(entries))
        for repository, wanted in lists.items():
            later += self._notes(repository, wanted, done, newer_than)
        for entry in entries:
            if entry.id not in outcomes:
                done(self._post(entry))
        return [*(outcomes[entry.id] for entry in entries), *later]

    def finish(self) -> None:
        """Record that the sync has completed; not to be called after a server has stopped it.

        Raises:
            TorchnotesError: the record cannot be written.
        """
        self._downloads.end(self._now())

    def _notes(
        self,
        repository: str,
        wanted: dict[str, CatalogEntry],
        done: Callable[[SyncOutcome], None],
        newer_than: Release | None,
    ) -> list[SyncOutcome]:
        """Page through the releases of a repository, newest first, until all wanted ones are found.

        Returns:
            Results for releases later than `newer_than`.
        """
        later: list[SyncOutcome] = []
        address, missing = _list_address(repository, self._api), dict(wanted)
        problem = f"there is no such release in {address}"
        asked: set[str] = set()
        try:
            while missing and address and address not in asked:
                if asked and not address.startswith(f"{self._api}/"):
                    raise SourceError(address, "the list goes on outside of the API and was not followed")
                asked.add(address)
                found, download = self._get(address, _JSON, _read_list)
                for notes in found:
                    if entry := missing.pop(notes.name, None):
                        done(_outcome_of_notes(entry, notes))
                    elif newer_than and (entry := _unlisted(notes, newer_than)):
                        later.append(_outcome_of_notes(entry, notes))
                address = download.next
        except SourceError as error:
            problem = str(error)
        for entry in missing.values():
            done(SyncOutcome(entry, None, problem))
        return later

    def _post(self, entry: CatalogEntry) -> SyncOutcome:
        def read(download: Download) -> Document:
            page = Page(download.address, download.media_type, download.body)
            return read_page(page, trusted=_facts(entry), origin=entry.url)

        try:
            document, download = self._get(entry.url, _HTML, read)
        except SourceError as error:
            return SyncOutcome(entry, None, error.reason)
        return SyncOutcome(entry, document, moved_to=download.moved_to)

    def _get(self, url: str, accept: str, read: Callable[[Download], _T]) -> tuple[_T, Download]:
        """Download and parse an address; only what could be parsed is stored."""
        from ingest.polite import Validators

        kept = self._downloads.find(url)
        if kept and kept.checked > self._begun:
            return read(kept), kept
        copy = Validators(kept.address, kept.etag, kept.modified) if kept else None
        reply = self._client.get(url, accept=accept, copy=copy)
        if reply.status == 304:
            if kept is None:
                raise SourceError(url, "the server says that it did not change, but was not asked that")
            fresh = replace(kept, checked=self._now(), moved_to=reply.moved_to)
        else:
            fresh = Download(
                url=url,
                address=reply.address,
                moved_to=reply.moved_to,
                etag=reply.headers.get("etag", ""),
                modified=reply.headers.get("last-modified", ""),
                media_type=reply.headers.get("content-type", "").partition(";")[0].strip().lower(),
                next=reply.next,
                checked=self._now(),
                body=reply.body,
            )
        result = read(fresh)
        self._downloads.keep(fresh)
        return result, fresh


def _tagged(entry: CatalogEntry) -> re.Match[str] | None:
    return _TAGGED.fullmatch(entry.url) if entry.kind == "release-notes" else None


def _unlisted(notes: GitHubRelease, newer_than: Release) -> CatalogEntry | None:
    """Return an entry for the notes of a later release, None for earlier and patch releases."""
    tag = _FIRST_OF_RELEASE.fullmatch(notes.name)
    if not tag or notes.problem or Release.parse(tag[1]) <= newer_than:
        return None
    return CatalogEntry(
        id=f"release-notes-{tag[1]}-en",
        release=tag[1],
        kind="release-notes",
        language="en",
        date=None,
        title=notes.facts.get("title", notes.name),
        url=notes.facts.get("url", ""),
        licence="not stated",
    )


def _list_address(repository: str, api: str) -> str:
    return f"{api}/repos/{repository}/releases?per_page=100"


def _read_list(download: Download) -> list[GitHubRelease]:
    try:
        return list(read_releases(decode(download.body)))
    except ValueError as error:
        raise SourceError(download.url, str(error)) from error


def _outcome_of_notes(entry: CatalogEntry, notes: GitHubRelease) -> SyncOutcome:
    if notes.problem:
        return SyncOutcome(entry, None, notes.problem)
    try:
        return SyncOutcome(
            entry, read_document(notes.body, entry.url, facts=notes.facts, trusted=_facts(entry))
        )
    except SourceError as error:
        return SyncOutcome(entry, None, error.reason)


def _facts(entry: CatalogEntry) -> dict[str, str]:
    """Return the metadata of the catalogue, named like front matter fields."""
    facts = {
        "title": entry.title,
        "url": entry.url,
        "release": entry.release,
        "kind": entry.kind,
        "language": entry.language,
    }
    return facts | ({"date": entry.date.isoformat()} if entry.date else {})
