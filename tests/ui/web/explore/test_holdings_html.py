"""What an index holds, as the page shows it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from corpus.catalog import CatalogEntry
from ingest.document import Language
from ingest.release import Release
from ui.web.explore.holdings import HeldDocuments, Holdings, ReleaseHoldings
from ui.web.explore.holdings_html import holdings_html

MISSING = CatalogEntry("blog-2.10-en", "2.10", "blog", "en", None, "Post", "https://example.org/2.10", "MIT")
HELD = Holdings(
    releases=(
        ReleaseHoldings(Release(2, 10), (), (MISSING,)),
        ReleaseHoldings(
            Release(2, 9), (HeldDocuments("digest", "zh", 1, 1), HeldDocuments("blog", "en", 2, 31)), ()
        ),
        ReleaseHoldings(None, (HeldDocuments("user", "en", 1, 4),), ()),
    ),
    documents=4,
    sections=36,
    chunks=1234,
    sentences=5678,
    written=datetime(2026, 1, 2, 1, 30, tzinfo=timezone(timedelta(hours=8))),
    synced=None,
    embedder="light <b>",
)


def rows(html: str) -> list[list[str]]:
    """The text of each cell of the table."""
    cells = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", html))
    return [[re.sub(r"<[^>]+>", "", cell) for cell in row] for row in cells]


@pytest.mark.parametrize(
    ("language", "table"),
    [
        pytest.param(
            "en",
            [
                ["Release", "中文", "English", "Official, not in the index"],
                ["2.10", "–", "–", "Blog (English) ↗"],
                ["2.9", "Digest: 1, in 1 section", "Blog: 2, in 31 sections", "–"],
                ["no release named", "–", "Own document: 1, in 4 sections", "–"],
            ],
            id="en",
        ),
        pytest.param(
            "zh",
            [
                ["版本", "中文", "English", "尚未收录的官方文档"],
                ["2.10", "–", "–", "博客（English） ↗"],
                ["2.9", "摘要 1 篇，1 个小节", "博客 2 篇，31 个小节", "–"],
                ["未标版本", "–", "自有文档 1 篇，4 个小节", "–"],
            ],
            id="zh",
        ),
    ],
)
def test_the_newest_release_comes_first(language: Language, table: list[list[str]]) -> None:
    assert rows(holdings_html(HELD, 7, language)) == table


def test_totals_and_times_are_told() -> None:
    html = holdings_html(HELD, 7, "en")
    told = re.sub(r"<[^>]+>", " ", html.partition("</ul>")[0]).split()
    assert "1,234" in told and "5,678" in told
    assert "Index last changed 2026-01-01 17:30 UTC" in " ".join(told)
    assert "Last whole sync never" in " ".join(told)
    assert "light &lt;b&gt;" in html
    synced = replace(HELD, synced=datetime(2026, 2, 3, 4, 5, tzinfo=timezone.utc))
    assert "2026-02-03 04:05 UTC" in holdings_html(synced, 7, "zh")


def test_what_is_missing_comes_with_the_command_that_gets_it() -> None:
    html = holdings_html(HELD, 7, "en")
    assert "1 of 7 official documents are not in the index" in html
    assert "<code>torchnotes sync</code>" in html
    assert "<code>torchnotes sync --releases 2.10</code>" in html
    whole = replace(HELD, releases=HELD.releases[1:])
    assert "All official documents are in the index." in holdings_html(whole, 7, "en")
    assert "torchnotes sync" not in holdings_html(whole, 7, "en")


def test_headers_are_headers() -> None:
    html = holdings_html(HELD, 7, "en")
    assert html.count('<th scope="col">') == 4 and html.count('<th scope="row">') == 3
    assert 'target="_blank" rel="noopener noreferrer"' in html
