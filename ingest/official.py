"""The official documents of the catalogue: release notes from GitHub's API, posts from their pages.

What the catalogue says of a document is curated and comes before what is read out of it. One that cannot be
taken is named with the reason, and the others go on.
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
from ingest.github import ReleaseNotes, read_releases
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
    """What became of an entry of the catalogue.

    Attributes:
        entry: which one.
        document: None if it could not be taken.
        problem: why not, in one line; "" if it could.
        moved_to: its address now, if it moved for good; "" otherwise.
    """

    entry: CatalogEntry
    document: Document | None
    problem: str = ""
    moved_to: str = ""


def choose(
    entries: Iterable[CatalogEntry], *, releases: str = "", language: str = "", kind: str = ""
) -> list[CatalogEntry]:
    """The entries that are wanted; "" wants all.

    Args:
        entries: of the catalogue.
        releases: as in "2.4", "2.0-2.8" or "2.1,2.4".
        language: "en" or "zh".
        kind: "blog" or "release-notes".

    Raises:
        TorchnotesError: `releases` cannot be understood, or there is nothing that fits.
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
    """What has to be asked for to get the entries, without the later pages of lists."""
    found = [_list_address(tagged[1], api) if (tagged := _tagged(e)) else e.url for e in entries]
    return list(dict.fromkeys(found))


class Collector:
    """Gets documents, asking again only for what may have changed.

    Args:
        downloads: where what was downloaded is kept.
        client: asks the servers.
        api: root of GitHub's API, or of a mirror that speaks it.
        now: seconds since 1970.
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
        """Get documents.

        Args:
            entries: which ones.
            progress: called with "fetch", how many entries are done, and how many there are.
            newer_than: get the notes of later releases too that lists of releases name, though no entry does.

        Returns:
            What became of each entry, in their order, and of the later releases.

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
        """Note that the sync came to its end; not to be called when a server stopped it."""
        self._downloads.end(self._now())

    def _notes(
        self,
        repository: str,
        wanted: dict[str, CatalogEntry],
        done: Callable[[SyncOutcome], None],
        newer_than: Release | None,
    ) -> list[SyncOutcome]:
        """Go through the releases of a repository, newest first, until all that are wanted are found.

        Returns:
            What became of releases that are later than `newer_than`.
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
        """What stands at an address, read; it is kept only if it could be read."""
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


def _unlisted(notes: ReleaseNotes, newer_than: Release) -> CatalogEntry | None:
    """Return an entry for the notes of a later release, None for those of an earlier or a patch release."""
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


def _read_list(download: Download) -> list[ReleaseNotes]:
    try:
        return list(read_releases(decode(download.body)))
    except ValueError as error:
        raise SourceError(download.url, str(error)) from error


def _outcome_of_notes(entry: CatalogEntry, notes: ReleaseNotes) -> SyncOutcome:
    if notes.problem:
        return SyncOutcome(entry, None, notes.problem)
    try:
        return SyncOutcome(
            entry, read_document(notes.body, entry.url, facts=notes.facts, trusted=_facts(entry))
        )
    except SourceError as error:
        return SyncOutcome(entry, None, error.reason)


def _facts(entry: CatalogEntry) -> dict[str, str]:
    """What the catalogue says, under the names of front matter fields."""
    facts = {
        "title": entry.title,
        "url": entry.url,
        "release": entry.release,
        "kind": entry.kind,
        "language": entry.language,
    }
    return facts | ({"date": entry.date.isoformat()} if entry.date else {})
