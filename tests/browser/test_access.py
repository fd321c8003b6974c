"""The page for everyone: with the keyboard alone, for readers of screens, narrow, dark, in both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import QUESTION, Visit, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TCPSTORE = "What is the default backend of TCPStore in 2.4?"
TABS = ("chat", "explore", "compare", "upgrade", "documents", "api")
# What sticks out to the left or right; what lies in a box that scrolls may.
STICKING_OUT = """() => [...document.querySelectorAll("body *:not(.sr-only)")].filter(element => {
    const box = element.getBoundingClientRect();
    const inside = element.parentElement.closest("pre, table, .tn-block, .tn-wide, .visually-hidden");
    if (getComputedStyle(element).visibility === "hidden") return false;
    return box.width > 0 && !inside && (box.left < -0.5 || box.right > innerWidth + 0.5);
}).map(element => element.outerHTML.slice(0, 120))"""

# Animations that end have ended.
SETTLED = """() => Promise.allSettled(document.getAnimations()
    .filter(each => each.effect.getComputedTiming().endTime !== Infinity)
    .map(each => each.finished))"""


def serious(page: Page) -> list[str]:
    """What axe-core finds serious or critical on the page as it is, once no colour is on its way any more."""
    page.evaluate(SETTLED)
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['html'][:160]} ({node['failureSummary']})"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


@pytest.mark.parametrize(("theme", "locale"), [("light", "en-US"), ("dark", "zh-CN")])
def test_axe_finds_nothing_serious(browser: Browser, address: str, theme: str, locale: str) -> None:
    with visiting(browser, f"{address}/?__theme={theme}", locale) as visit:
        page = visit.page
        assert serious(page) == []
        visit.ask(TCPSTORE)
        visit.last.locator(".tn-thumb").last.click()
        page.locator(".tn-pop-environment summary").click()
        assert serious(page) == []
        for name in TABS[1:]:
            visit.tab(name)
            if name == "compare":
                page.click("#tn-compare")
                page.locator("#tn-upgrade table").first.wait_for()
                page.locator("#tn-save:not([disabled])").wait_for()
            assert serious(page) == [], name


def test_the_keyboard_alone_is_enough(visit: Visit) -> None:
    page = visit.page
    page.focus(QUESTION)
    page.keyboard.type(TCPSTORE)
    page.keyboard.press("Enter")
    visit.answered(1)
    reached: list[str] = []
    for _ in range(60):
        page.keyboard.press("Tab")
        focused = "document.activeElement.className + ' ' + document.activeElement.id"
        reached.append(str(page.evaluate(focused)))
        if "tn-cite" in reached[-1]:
            break
    assert any("tn-skip" in each for each in reached)
    page.keyboard.press("Enter")
    assert page.locator(".tn-panel mark.tn-chosen").count() >= 1
    page.keyboard.press("Escape")
    assert "tn-cite" in page.evaluate("document.activeElement.className")
    page.focus(".tn-pop-releases summary")
    page.keyboard.press("Enter")
    page.locator(".tn-release-list label").first.wait_for()
    page.keyboard.press("Escape")
    assert not page.locator(".tn-release-list").is_visible()


def test_keys_lead_to_the_box_the_search_and_the_citations(visit: Visit) -> None:
    page = visit.page
    visit.ask(TCPSTORE)
    page.keyboard.press("Control+k")
    assert "tn-search" in page.evaluate("document.activeElement.className")
    page.focus(".tn-log")
    count = visit.last.locator("a.tn-cite").count()
    for expected in (1, *range(2, count + 1), 1):
        page.keyboard.press("]")
        assert page.evaluate("document.activeElement.dataset.source") == str(expected)
        assert page.locator(f".tn-panel mark.tn-chosen[data-source='{expected}']").count()
    page.keyboard.press("[")
    assert page.evaluate("document.activeElement.dataset.source") == str(count)
    box = visit.last.locator("a.tn-cite").first.bounding_box()
    assert box is not None and box["width"] >= 24 and box["height"] >= 24
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.tagName") == "TEXTAREA"
    assert page.input_value(QUESTION) == ""
    page.focus(".tn-skip")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.tagName") == "TEXTAREA"


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_is_wider_than_the_window(browser: Browser, address: str, width: int) -> None:
    with visiting(browser, address, width=width) as visit:
        page = visit.page
        visit.ask("How do I register a custom operator in 2.4?")
        visit.last.locator(".tn-cite").last.click()
        page.wait_for_selector(".tn-panel mark.tn-chosen")
        # The page's frame hides what is too wide, so that the document's own width would not tell.
        assert page.evaluate(STICKING_OUT) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for block in (".tn-answer pre", ".tn-panel pre"):
            code = page.locator(block).first
            assert "fused_multiply_then_add" in code.inner_text()
            assert code.evaluate("e => getComputedStyle(e).overflowX") == "auto"
        page.keyboard.press("Escape")
        visit.tab("compare")
        page.click("#tn-compare")
        page.locator("#tn-upgrade table").first.wait_for()
        assert page.evaluate(STICKING_OUT) == []


def test_dark_is_dark(browser: Browser, address: str) -> None:
    with visiting(browser, f"{address}/?__theme=dark") as visit:
        visit.ask(TCPSTORE)
        light = """node => {
            const [r, g, b] = getComputedStyle(node).backgroundColor.match(/\\d+/g).map(Number);
            return r + g + b;
        }"""
        assert visit.page.locator(".gradio-container").evaluate(light) < 150
        assert visit.page.locator(".tn-asked").first.evaluate(light) < 200
