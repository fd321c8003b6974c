"""The catalogue of official documents: whole, unique, and found by what a document says of itself."""

from __future__ import annotations

from datetime import date
from urllib.parse import urlsplit

import pytest

from corpus.catalog import CatalogEntry, find_original, load_catalog
from ingest.document import LANGUAGES
from ingest.release import Release
from tests.rows import each_row

entries = each_row("entry", load_catalog(), ids=lambda entry: entry.id)


@entries
def test_every_entry_can_be_used(entry: CatalogEntry) -> None:
    assert str(Release.parse(entry.release)) == entry.release
    assert entry.kind in ("blog", "release-notes") and entry.language in LANGUAGES
    assert entry.date is None or date(2018, 1, 1) < entry.date < date(2100, 1, 1)
    assert entry.id == entry.id.lower() and entry.title.strip() and entry.licence.strip()
    address = urlsplit(entry.url)
    assert address.scheme == "https" and address.netloc and not set(entry.url) & set(" <>")


@entries
def test_release_notes_stand_at_the_tag_of_their_release(entry: CatalogEntry) -> None:
    if entry.kind == "release-notes" and "/releases/tag/" in entry.url:
        assert f"/v{entry.release}." in entry.url


def test_ids_and_documents_are_unique() -> None:
    every = load_catalog()
    assert len({e.id for e in every}) == len(every)
    assert len({(e.url, e.language, e.title) for e in every}) == len(every)


def test_releases_have_notes_in_english() -> None:
    releases = {e.release for e in load_catalog()}
    noted = {e.release for e in load_catalog() if (e.kind, e.language) == ("release-notes", "en")}
    assert releases == noted


def test_later_releases_are_dated_later() -> None:
    dated = sorted(
        (Release.parse(e.release), e.date) for e in load_catalog() if e.date and e.language == "en"
    )
    dates = [day for _, day in dated]
    assert dates == sorted(dates)


def test_the_original_is_found_by_release_kind_and_language() -> None:
    original = find_original("2.4", "blog", "en")
    assert original is not None and original.release == "2.4" and original.kind == "blog"
    assert original.date == date(2024, 7, 24)


@pytest.mark.parametrize(
    "key", [("9.9", "blog", "en"), ("2.4", "song", "en"), ("2.4", "blog", "fr"), ("2.40", "blog", "en")]
)
def test_what_is_not_listed_has_no_original(key: tuple[str, str, str]) -> None:
    assert find_original(*key) is None


def test_several_candidates_are_no_original() -> None:
    keys = [(e.release, e.kind, e.language) for e in load_catalog()]
    for key in set(keys):
        assert (find_original(*key) is None) == (keys.count(key) > 1), key
