"""Documents as the command line and the page show them."""

from __future__ import annotations

import pytest

from index.storage.changes import LeftOut, UpdateReport
from ingest.document import Document, Removal
from ingest.errors import TorchnotesError
from ui.shared.documents import check_removable, cleaned, fates, known_as, ships


def document(name: str, origin: str = "") -> Document:
    return Document(
        id=name,
        title=name,
        url="",
        release=None,
        kind="user",
        language="en",
        date=None,
        text=name,
        origin=origin or f"/home/me/{name}.md",
        removed=(Removal("navigation", 2, "Home"), Removal("tail", 1, "x"), Removal("navigation", 1, "Up")),
    )


def test_each_document_given_has_one_fate() -> None:
    a, b, c, d = (document(name) for name in "abcd")
    report = UpdateReport(
        added=("a", "digest"),
        changed=("b", "digest-2"),
        unchanged=("c", "digest-3"),
        removed=(),
        left_out=(LeftOut("d", d.origin, "it has no text"),),
    )
    taken, others = fates([a, b, c, d, a], report)
    assert taken == [("new", a), ("changed", b), ("unchanged", c)]
    assert others == 2


def test_what_cleaning_took_is_counted_by_reason() -> None:
    assert cleaned(document("a")) == "navigation (3 lines), tail (1 line)"


@pytest.mark.parametrize("shipped_corpus", [True, False])
def test_what_ships_is_the_users_where_the_settings_leave_it_out(shipped_corpus: bool) -> None:
    digest = document("digest", "shipped:en/2.4.md")
    assert ships(digest, shipped_corpus=shipped_corpus) == shipped_corpus
    assert not ships(document("a", "upload://shipped:en/2.4.md"), shipped_corpus=shipped_corpus)
    if shipped_corpus:
        with pytest.raises(TorchnotesError, match=r"^digest ships with torchnotes and stays; set TORCH"):
            check_removable({"digest": digest}, ["digest"], shipped_corpus=True)
    else:
        check_removable({"digest": digest}, ["digest"], shipped_corpus=False)


def test_a_slip_in_an_id_is_told_with_those_near_it() -> None:
    with pytest.raises(TorchnotesError, match="'blog-2-en' is in the index; near it are blog-2-zh; see"):
        check_removable({"blog-2-zh": document("blog-2-zh")}, ["blog-2-en"], shipped_corpus=True)


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        ("/home/me/a b.md", "a b.md"),
        ("notes/a.json#v2.4.0", "a.json#v2.4.0"),
        ("upload://a.md", "a.md"),
        ("https://example.org/x/y", "https://example.org/x/y"),
        ("shipped:en/2.4.md", "shipped:en/2.4.md"),
    ],
)
def test_folders_of_this_machine_are_not_named(origin: str, name: str) -> None:
    assert known_as(origin) == name
