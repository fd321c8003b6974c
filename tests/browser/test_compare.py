"""Two releases beside each other in a real browser, and taken along as Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.conftest import Visit, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def choose(visit: Visit, part: str, release: str) -> None:
    """Choose a release in one of the two lists."""
    visit.page.locator(f"#{part} input").click()
    visit.page.locator("[role=option]", has_text=release).click()
    visit.page.locator("[role=option]").first.wait_for(state="detached")


def test_what_is_new_is_told_with_its_source_and_downloaded(visit: Visit) -> None:
    page = visit.page
    visit.tab("compare")
    page.locator("#tn-upgrade table").first.wait_for()  # opening it compares
    choose(visit, "tn-older", "2.4")
    choose(visit, "tn-newer", "2.5")
    page.click("#tn-compare")
    page.locator("#tn-upgrade h2", has_text="2.4").wait_for()
    row = page.locator("#tn-upgrade tr", has_text="FlexAttention").first
    row.wait_for()
    assert (
        "Prototype" in row.inner_text() and "FlexAttention 是 PyTorch 2.5 加入的原型功能" in row.inner_text()
    )
    assert (row.locator("a").get_attribute("href") or "").startswith("https://example.org/notes/2.5-zh")
    with page.expect_download() as downloading:
        page.click("#tn-save")
    assert downloading.value.suggested_filename == "pytorch-2.4-to-2.5.md"
    text = Path(downloading.value.path()).read_text(encoding="utf-8")
    assert text.startswith("# PyTorch 2.4 → 2.5") and "FlexAttention" in text


def test_the_same_release_twice_is_refused_in_a_line(visit: Visit) -> None:
    visit.tab("compare")
    choose(visit, "tn-older", "2.5")
    choose(visit, "tn-newer", "2.5")
    visit.page.click("#tn-compare")
    line = visit.page.locator("#tn-upgrade .tn-error")
    line.wait_for()
    assert "release 2.5 cannot be compared with itself" in line.inner_text()
    assert visit.page.locator("#tn-save").is_disabled()


def test_it_follows_the_language_of_the_interface(browser: Browser, address: str) -> None:
    with visiting(browser, address) as visit:
        visit.tab("compare")
        visit.page.wait_for_selector("#tn-upgrade h2 >> text=From PyTorch")
        visit.page.click(".tn-tongue")
        visit.page.wait_for_selector("#tn-upgrade h2 >> text=从 PyTorch")
