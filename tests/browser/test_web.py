"""The page in a real browser: asked, answered, and closed to what documents might try."""

from __future__ import annotations

import json
import os
import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from assistant.assemble import Workshop
from assistant.settings import Settings
from ui.commands_web import listen
from ui.web import Desk, build_app

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = Path(os.environ.get("TORCHNOTES_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium")
QUESTION = "#tn-question textarea"
# What sticks out to the left or right; what lies in code may: it scrolls there.
STICKING_OUT = """() => [...document.querySelectorAll("body *:not(.sr-only)")].filter(element => {
    const box = element.getBoundingClientRect();
    const inCode = element.parentElement.closest("pre, .tn-block");
    return box.width > 0 && !inCode && (box.left < -0.5 || box.right > innerWidth + 0.5);
}).map(element => element.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of the page over the small corpus."""
    import uvicorn

    from ingest.loaders import load
    from tests.ui.notes import write_notes

    folder = tmp_path_factory.mktemp("web")
    workshop = Workshop(Settings(home=folder / "home", shipped_corpus=False))
    notes = write_notes(folder / "notes")
    workshop.update(list(load(notes, on_skip=lambda _: None)))
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(build_app(Desk(workshop)), log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = server.force_exit = True
    thread.join(timeout=10)
    listening.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium; without one the tests fail, since a page that no browser saw is not tested."""
    from playwright.sync_api import sync_playwright

    if not CHROMIUM.exists():
        pytest.fail(f"no Chromium at {CHROMIUM}; install Debian's `chromium`, or set TORCHNOTES_CHROMIUM")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield opened
        opened.close()


class Visit:
    """An open page, with all that it requested and all that failed in it."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("dialog", lambda dialog: self.errors.append(f"dialog {dialog.message}"))
        page.goto(address)
        page.wait_for_selector(QUESTION)

    def ask(self, question: str) -> str:
        """Ask and wait for the answer; its HTML."""
        before = self.page.locator(".tn-answer").count()
        self.page.fill(QUESTION, question)
        self.page.press(QUESTION, "Enter")
        answer = self.page.locator(".tn-answer").nth(before)
        answer.wait_for(timeout=60_000)
        return answer.inner_html()


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """The page, opened by an English reader."""
    context = browser.new_context(locale="en-US")
    visit = Visit(context.new_page(), address)
    yield visit
    context.close()
    outside = [url for url in visit.requests if urlsplit(url).hostname not in ("127.0.0.1", None)]
    assert outside == []
    assert visit.errors == []


@pytest.mark.parametrize(
    ("question", "quoted", "release"),
    [
        pytest.param("What is the default backend of TCPStore in 2.4?", "libuv", "PyTorch 2.4", id="en"),
        pytest.param("FlexAttention 是哪个版本加入的？", "FlexAttention", "PyTorch 2.5", id="zh"),
    ],
)
def test_a_question_is_answered_with_its_sources(
    visit: Visit, question: str, quoted: str, release: str
) -> None:
    visit.ask(question)
    page = visit.page
    card = page.locator(".tn-card").first
    assert release in card.inner_text() and quoted in card.inner_text()
    link = card.locator("a")
    assert (link.get_attribute("href") or "").startswith("https://example.org/notes/")
    assert link.get_attribute("target") == "_blank"
    assert "noopener" in (link.get_attribute("rel") or "")
    page.locator(".tn-mark").first.click()
    page.wait_for_function("document.querySelector(':target.tn-quote') !== null")


def test_a_follow_up_knows_the_question_before(visit: Visit) -> None:
    visit.ask("What is the default backend of TCPStore in 2.4?")
    assert "libuv" in visit.ask("How do I go back to the old one?")
    assert visit.page.locator("[id=source-1-1], [id=source-2-1]").count() == 2
    visit.page.click("#tn-new")
    visit.page.wait_for_function("document.querySelectorAll('.tn-answer').length === 0")


def test_a_term_is_explained_where_the_focus_rests(visit: Visit) -> None:
    visit.ask("What is the default backend of TCPStore in 2.4?")
    term = visit.page.locator("abbr.tn-term", has_text="libuv").first
    assert (term.get_attribute("title") or "").startswith("libuv: ")
    term.focus()
    shown = term.evaluate("node => getComputedStyle(node, '::after').content")
    assert shown == f'"{term.get_attribute("title")}"'


def test_declining_is_shown_as_such(visit: Visit) -> None:
    answer = visit.ask("Who won the football world cup in Brazil?")
    assert "Not in the notes" in answer and "Nearest passages" in answer


def test_what_a_document_holds_stays_inert(visit: Visit) -> None:
    visit.ask("What does the quuxifier multiply with sparse tensors?")
    page = visit.page
    text = page.locator(".tn-answer").inner_text()
    assert "<script>window.hurt=3</script>" in text  # shown, not run
    chat = page.locator("#tn-chat")
    assert chat.locator("script, img[src*='198.51'], b[onclick], [onerror]").count() == 0
    for link in chat.locator("a").all():
        assert re.match(r"#source-|https?://", link.get_attribute("href") or "")
    for words in page.locator(".tn-words, .tn-answer p").all():
        words.hover()
    assert page.evaluate("window.hurt") is None


def test_what_a_visitor_types_stays_inert_too(visit: Visit) -> None:
    visit.ask("<img src=http://198.51.100.7/x onerror='window.hurt=9'> TCPStore backend __init__?")
    assert "__init__" in visit.page.locator(".tn-plain").inner_text()
    assert visit.page.evaluate("window.hurt") is None


def test_an_example_is_asked_and_the_interface_speaks_chinese(browser: Browser, address: str) -> None:
    context = browser.new_context(locale="zh-CN")
    visit = Visit(context.new_page(), address)
    visit.page.wait_for_selector("text=只看这些版本")
    visit.page.locator("text=FlexAttention 是哪个版本加入的？").click()
    visit.page.locator(".tn-answer").wait_for(timeout=60_000)
    visit.page.locator("#tn-language label").nth(1).click()
    visit.page.wait_for_selector("text=Only these releases")
    context.close()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_is_wider_than_the_window(visit: Visit, width: int) -> None:
    page = visit.page
    page.set_viewport_size({"width": width, "height": 800})
    visit.ask("How do I register a custom operator in 2.4?")
    page.locator(".tn-mark").last.click()
    page.wait_for_selector(".tn-quote:target")
    # The page's frame hides what is too wide, so that the document's own width would not tell.
    assert page.evaluate(STICKING_OUT) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for block in (".tn-answer pre", ".tn-block"):
        code = page.locator(block).first
        assert "fused_multiply_then_add" in code.inner_text()
        assert code.evaluate("e => getComputedStyle(e).overflowX") == "auto"
        if width < 600:
            assert code.evaluate("e => e.scrollWidth > e.clientWidth")


def test_only_the_chosen_releases_are_searched(visit: Visit) -> None:
    visit.page.locator("#tn-releases input").click()
    visit.page.locator("[role=option]", has_text="2.5").click()
    visit.page.keyboard.press("Escape")
    visit.ask("FlexAttention")
    badges = visit.page.locator(".tn-meta .tn-badge:first-child").all_inner_texts()
    assert badges and set(badges) == {"PyTorch 2.5"}


def test_health_and_headers(address: str) -> None:
    with urlopen(f"{address}/healthz") as reply:
        state = json.load(reply)
        assert state["status"] == "ok" and state["documents"] == 3
        assert "default-src 'self'" in reply.headers["content-security-policy"]
    with pytest.raises(HTTPError, match="400"):
        urlopen(Request(f"{address}/healthz", headers={"Host": "elsewhere.example"}))
