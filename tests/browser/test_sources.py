"""Sources beside the chat: the very words, those of the right answer, on wide pages and on narrow ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Visit, visiting
from tests.ui.notes import CHINESE, ENGLISH

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TCPSTORE = "What is the default backend of TCPStore in 2.4?"
CHOSEN = ".tn-panel mark.tn-chosen"


def plain(text: str) -> str:
    """A text as a reader sees it: without the marks of code."""
    return " ".join(text.replace("`", "").split())


@pytest.mark.parametrize(
    ("question", "notes", "release"),
    [
        pytest.param(TCPSTORE, ENGLISH, "PyTorch 2.4", id="en"),
        pytest.param("FlexAttention 是哪个版本加入的？", CHINESE, "PyTorch 2.5", id="zh"),
    ],
)
def test_a_mark_leads_to_the_very_words(visit: Visit, question: str, notes: str, release: str) -> None:
    visit.ask(question)
    page = visit.page
    for mark in visit.last.locator(".tn-cite").all():
        mark.click()
        for quote in page.locator(CHOSEN).all():
            assert quote.is_visible()
            assert plain(quote.inner_text()) in plain(re.sub(r"^#+ ", "", notes, flags=re.M))
        assert page.locator(CHOSEN).count() >= 1
    card = page.locator(".tn-card", has=page.locator("mark.tn-chosen")).first
    assert release in card.inner_text()
    link = card.locator("a")
    assert (link.get_attribute("href") or "").startswith("https://example.org/notes/")
    assert link.get_attribute("target") == "_blank"
    assert "noopener" in (link.get_attribute("rel") or "")


def test_a_pointer_that_rests_on_a_mark_shows_its_words(visit: Visit) -> None:
    visit.ask(TCPSTORE)
    assert visit.page.locator(CHOSEN).count() == 0
    visit.last.locator(".tn-cite").last.hover()
    visit.page.wait_for_selector(CHOSEN)


def test_an_older_answer_brings_its_own_sources_back(visit: Visit) -> None:
    page = visit.page
    visit.ask(TCPSTORE)
    visit.ask("What is FSDP2 built on?")
    assert "FSDP2" in page.locator(".tn-panel").inner_text()
    visit.turns.first.locator(".tn-cite").first.click()
    assert "libuv" in page.locator(CHOSEN).all_inner_texts()
    assert "FSDP2 is a prototype" not in page.locator(".tn-panel").inner_text()
    visit.last.locator("button.tn-source").first.click()
    assert "FSDP2" in page.locator(CHOSEN).first.inner_text()


def test_a_term_is_explained_where_the_focus_rests(visit: Visit) -> None:
    visit.ask(TCPSTORE)
    term = visit.page.locator("abbr.tn-term", has_text="libuv").first
    assert (term.get_attribute("title") or "").startswith("libuv: ")
    term.focus()
    shown = term.evaluate("node => getComputedStyle(node, '::after').content")
    assert shown == f'"{term.get_attribute("title")}"'


def test_on_a_narrow_page_the_sources_open_over_the_chat_and_close_again(
    browser: Browser, address: str
) -> None:
    with visiting(browser, address, width=390) as visit:
        page = visit.page
        visit.ask(TCPSTORE)
        assert not page.locator(".tn-panel").is_visible()
        mark = visit.last.locator(".tn-cite").first
        mark.click()
        assert page.locator(CHOSEN).first.is_visible()
        assert "Source 1" in page.locator(".tn-panel").inner_text()
        page.keyboard.press("Escape")
        assert not page.locator(".tn-panel").is_visible()
        assert mark.evaluate("node => node === document.activeElement")
        mark.press("Enter")
        page.locator("button.tn-close").click()
        assert not page.locator(".tn-panel").is_visible()
