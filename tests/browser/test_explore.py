"""The features over releases, in a real browser: drawn, readable in the dark, and a way to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Visit

MARKS = "#tn-history-chart .mark-symbol path"


def drawn(visit: Visit) -> Locator:
    """The tab with all features; their marks."""
    visit.tab("explore")
    visit.page.locator("#tn-feature-view label").nth(1).click()
    visit.page.wait_for_function(f"document.querySelectorAll('{MARKS}').length === 5")
    return visit.page.locator(MARKS)


def test_a_mark_tells_the_notes_and_asks_in_this_window(visit: Visit) -> None:
    mark = visit.page.locator(f"{MARKS}[aria-label='FSDP2: PyTorch 2.4, Prototype']")
    drawn(visit)
    mark.hover()
    tip = visit.page.locator("#vg-tooltip-element.visible")
    tip.wait_for()
    assert "FSDP2 is a prototype that shards each parameter by itself." in tip.inner_text()
    mark.click()
    assert "FSDP2" in visit.answered(1)
    assert "Since when does PyTorch have FSDP2" in visit.last.inner_text()
    assert len(visit.context.pages) == 1


def test_no_menu_leads_outside(visit: Visit) -> None:
    drawn(visit)
    assert visit.page.locator(".vega-actions, .vega-embed details").count() == 0
    links = visit.page.locator("#tn-tab-explore a").evaluate_all(
        "all => all.map(a => a.getAttribute('href'))"
    )
    assert links and all(link.startswith(("#ask=", "https://")) for link in links)


def test_a_chart_redrawn_out_of_sight_keeps_its_width(visit: Visit) -> None:
    drawn(visit)
    svg = visit.page.locator("#tn-history-chart svg.marks")
    width = svg.get_attribute("width")
    visit.tab("chat")
    visit.page.locator("#tn-language label").nth(1).click()
    visit.page.wait_for_function("document.documentElement.lang === 'zh'")
    visit.tab("explore")
    visit.page.locator(f"{MARKS}[aria-label^='编译缓存']").wait_for()
    visit.page.wait_for_function(
        f"document.querySelector('#tn-history-chart svg.marks').getAttribute('width') === '{width}'"
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_and_marks_are_seen_on_any_paper(visit: Visit, theme: str) -> None:
    visit.open(visit.page.url.split("?")[0] + f"?__theme={theme}")
    drawn(visit)
    colour = "node => getComputedStyle(node).fill"
    text = visit.page.locator("#tn-history-chart svg.marks text").first.evaluate(colour)
    body = visit.page.locator("#tn-feature-count p").evaluate("node => getComputedStyle(node).color")
    assert text == body
    assert visit.page.locator(MARKS).first.evaluate(colour) not in ("rgb(0, 0, 0)", "none", text)


def test_what_is_typed_is_looked_for(visit: Visit) -> None:
    drawn(visit)
    visit.page.locator("#tn-feature").locator("input, textarea").fill("FSPD2")
    count = visit.page.locator("#tn-feature-count")
    visit.page.wait_for_function("document.querySelector('#tn-feature-count').innerText.includes('FSPD2')")
    assert "Near it are: FSDP2." in count.inner_text()
    assert visit.page.locator(MARKS).count() == 0
