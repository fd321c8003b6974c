"""What changes between two releases as HTML."""

from __future__ import annotations

from datetime import date

from assistant.release_diff.upgrade import Item, Upgrade
from assistant.timeline.model import Source
from ingest.chunk import Chunk
from ingest.document import Document
from ingest.release import Release
from ingest.sentence import Sentence
from ui.web.compare.compare_html import upgrade_to_html

TEXT = "## [Beta] A<b>\nA <script>x</script> is `fast`."


def upgrade(url: str = "https://example.org/?a=1&b=2", *, whole: bool = True) -> Upgrade:
    """One feature that became Beta, and nothing else."""
    document = Document("d", "Notes", url, Release(2, 5), "blog", "en", date(2024, 10, 17), TEXT, "n.md")
    sentences = (Sentence(0, 14, "heading"), Sentence(15, len(TEXT), "prose"))
    chunk = Chunk("c", "d", 0, "", ("A<b>",), "beta", "", 0, len(TEXT), "", sentences)
    item = Item(
        {"en": "A<b>", "zh": "甲"},
        Release(2, 5),
        None,
        "beta",
        "prototype",
        whole,
        (Source(chunk, document),),
    )
    releases = (Release(2, 5), Release(2, 6))
    return Upgrade(
        Release(2, 4), Release(2, 6), releases, new=(), changed=(item,), breaking=(), deprecated=()
    )


def test_a_row_has_both_statuses_the_words_and_the_source() -> None:
    html = upgrade_to_html(upgrade(), "en")
    assert "<h2>From PyTorch 2.4 to 2.6</h2>" in html and "2.5, 2.6" in html
    assert '<th scope="row">A&lt;b&gt;</th>' in html
    assert ">Prototype</span></td>" in html and ">Beta</span> <small>2.5</small></td>" in html
    assert "A &lt;script&gt;x&lt;/script&gt; is <code>fast</code>." in html
    assert 'href="https://example.org/?a=1&amp;b=2"' in html
    assert html.count("The notes in the index name none.") == 4


def test_it_is_told_in_chinese_and_of_a_part() -> None:
    html = upgrade_to_html(upgrade(whole=False), "zh")
    assert '<th scope="row">甲</th>' in html and "其中一部分" in html and 'lang="en"' in html


def test_an_address_that_is_none_becomes_no_link() -> None:
    assert "<a" not in upgrade_to_html(upgrade("javascript:alert(1)"), "en")
