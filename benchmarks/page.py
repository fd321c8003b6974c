"""What a reader of the page waits for: its first paint, and the first words of an answer.

    python -m benchmarks.page [--visits 5] [--questions 20]

Each visit is a browser context of its own, with nothing in its cache. The browser runs on the machine that
serves it; Chromium is found as `chromium` or by TORCHNOTES_CHROMIUM.
"""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchmarks.table import markdown, milliseconds, percentile
from benchmarks.web_server import questions, web_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# When the page was painted first, and when it could be used.
_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
_READY = """document.querySelector('.tn-empty') && document.querySelector('#tn-question textarea')
    && performance.now()"""
# Asks as Enter does, and tells when the first and the last words of the answer stood there.
_ASK = """question => new Promise(resolve => {
    const begun = performance.now();
    let first = 0;
    const seen = new MutationObserver(() => {
        const turn = document.querySelector(".tn-turn:last-child");
        if (!first && turn?.querySelector(".tn-answer")) first = performance.now() - begun;
        if (first && turn.getAttribute("aria-busy") === "false") {
            seen.disconnect();
            resolve([first, performance.now() - begun]);
        }
    });
    seen.observe(document.querySelector(".tn-chat"), { childList: true, subtree: true, attributes: true });
    window.torchnotes.ask(question);
})"""


def visit(browser: Browser, address: str) -> tuple[float, float, Page]:
    """A cold visit: seconds to the first paint, seconds until it can be used, and the page."""
    page = browser.new_context(locale="en-US").new_page()
    page.goto(address)
    ready = page.wait_for_function(_READY).json_value()
    return page.evaluate(_PAINT) / 1000, ready / 1000, page


def asked(page: Page, texts: Sequence[str]) -> list[tuple[float, float]]:
    """Seconds to the first and to the last words of each answer, each in a conversation of its own."""
    times: list[tuple[float, float]] = []
    for text in texts:
        first, last = page.evaluate(_ASK, text)
        times.append((first / 1000, last / 1000))
        page.evaluate("window.torchnotes.begin()")
    return times


def main() -> None:
    """Print a table of medians and the slowest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--visits", type=int, default=5)
    parser.add_argument("--questions", type=int, default=20)
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("TORCHNOTES_CHROMIUM") or shutil.which("chromium")
    with web_server() as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        paints, readies = [], []
        for _ in range(options.visits):
            paint, ready, page = visit(browser, address)
            paints.append(paint)
            readies.append(ready)
        asked(page, questions(5))  # what is loaded with the first questions
        times = asked(page, questions(options.questions))
        browser.close()
    figures = {
        "first paint, nothing cached": paints,
        "ready for a question": readies,
        "first words of an answer, warm": [first for first, _ in times],
        "whole answer, warm": [last for _, last in times],
    }
    rows = [
        [name, *(milliseconds(percentile(v, share)) for share in (0.5, 0.95))] for name, v in figures.items()
    ]
    print(markdown(["", "p50 ms", "p95 ms"], rows))


if __name__ == "__main__":
    main()
