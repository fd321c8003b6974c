"""Pictures of the page for the README, taken in headless Chromium on the shipped corpus.

    python -m scripts.screenshots

Chromium is found as `chromium` or by TORCHNOTES_CHROMIUM; a font with Chinese characters must be there.
"""

from __future__ import annotations

import io
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from benchmarks.web_server import web_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "images"
_COLOURS = 96  # enough for a page of text, and a third of the bytes


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture.

    Attributes:
        name: of the file.
        locale: of the reader.
        dark: theme.
        width, height: of the window, in pixels.
        ask: asked in the chat, one after the other.
        click: selectors, clicked in their order.
        await_: what must be there before the picture is taken.
    """

    name: str
    locale: str = "en-US"
    dark: bool = False
    width: int = 1280
    height: int = 800
    ask: tuple[str, ...] = ()
    click: tuple[str, ...] = ()
    await_: str = ".tn-empty, .tn-turn"


SHOTS = (
    Shot(
        "chat-en",
        ask=("What is the default backend of TCPStore in 2.4, and why?",),
        click=(".tn-turn .tn-cite >> nth=1",),
    ),
    Shot(
        "chat-zh",
        "zh-CN",
        dark=True,
        ask=("2.4 里 TCPStore 默认后端换成了什么？有啥好处",),
        click=(".tn-turn .tn-cite >> nth=1",),
    ),
    Shot("narrow-zh", "zh-CN", width=390, height=800, ask=("FlexAttention 是哪个版本加入的？",)),
    Shot("features-en", click=(".tn-nav [data-view=explore]",), await_="#tn-history-chart svg.marks"),
    Shot("compare-zh", "zh-CN", click=(".tn-nav [data-view=compare]",), await_="#tn-upgrade table"),
)


def take(browser: Browser, address: str, shot: Shot) -> bytes:
    """A picture as PNG."""
    context = browser.new_context(
        locale=shot.locale,
        viewport={"width": shot.width, "height": shot.height},
        color_scheme="dark" if shot.dark else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(f"{address}/?__theme={'dark' if shot.dark else 'light'}")
    page.wait_for_selector(".tn-empty")
    page.wait_for_function(f"document.documentElement.lang === '{shot.locale[:2]}'")
    for number, question in enumerate(shot.ask, 1):
        _ask(page, question, number)
    for selector in shot.click:
        page.click(selector)
    page.locator(shot.await_).first.wait_for()
    page.mouse.move(0, 0)
    page.evaluate("document.fonts.ready.then(() => true)")
    picture = page.screenshot()
    context.close()
    return picture


def smaller(picture: bytes) -> bytes:
    """The same picture of fewer colours."""
    out = io.BytesIO()
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(_COLOURS).save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> None:
    """Take them all."""
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("TORCHNOTES_CHROMIUM") or shutil.which("chromium")
    FOLDER.mkdir(exist_ok=True)
    with web_server() as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for shot in SHOTS:
            (FOLDER / f"{shot.name}.png").write_bytes(smaller(take(browser, address, shot)))
        browser.close()


def _ask(page: Page, question: str, number: int) -> None:
    page.fill("#tn-question textarea", question)
    page.press("#tn-question textarea", "Enter")
    page.wait_for_selector(f".tn-turn:nth-child({number})[aria-busy=false]")


if __name__ == "__main__":
    main()
