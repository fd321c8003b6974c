"""What the tests in a browser share: a server of the page over the small corpus, and visits to it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from assistant.factory import AssistantFactory
from assistant.settings import Settings
from tests.ui.web.serving import serving
from ui.shared.app_state import AppState

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Dialog, Locator, Page, ViewportSize

CHROMIUM = Path(os.environ.get("TORCHNOTES_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium")
QUESTION = "#tn-question textarea"
#: Names for tests that lead to this machine; nobody is asked where they lead.
RESOLVING = "--host-resolver-rules=MAP *.example 127.0.0.1"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave all but the chat to `make test-long`: a page takes a core for seconds."""
    here = Path(__file__).parent
    for item in items:
        if item.path.parent == here and item.path.name != "test_chat.py":
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def server_home(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder with the small corpus in its index."""
    return shutil.copytree(built, tmp_path_factory.mktemp("web") / "home")


@pytest.fixture(scope="session")
def app_state(server_home: Path) -> AppState:
    """What the visitors of the server share."""
    return AppState(AssistantFactory(Settings(home=server_home, shipped_corpus=False)), allow_documents=True)


@pytest.fixture(scope="session")
def address(app_state: AppState) -> Iterator[str]:
    """The server that most tests visit."""
    with serving(app_state) as address:
        yield address


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A headless Chromium; without one the tests fail, since a page that no browser saw is not tested.

    It is closed before the tests of other folders begin: while it runs, no other event loop may.
    """
    from playwright.sync_api import sync_playwright

    if not CHROMIUM.exists():
        pytest.fail(f"no Chromium at {CHROMIUM}; install Debian's `chromium`, or set TORCHNOTES_CHROMIUM")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox", RESOLVING])
        yield opened
        opened.close()


class Visit:
    """An open page, with all that it requested and all that failed in it."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context = context
        self.page: Page = context.new_page()
        self.requests: list[str] = []
        self.errors: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", self._dialog)
        self.open(address)

    def _dialog(self, dialog: Dialog) -> None:
        self.errors.append(dialog.message)
        dialog.dismiss()

    def open(self, address: str) -> None:
        """Load the page, until it can be used."""
        self.page.goto(address)
        self.ready()

    def ready(self) -> None:
        """Wait until the page can be used."""
        self.page.wait_for_selector(QUESTION)
        self.page.wait_for_selector(".tn-empty, .tn-turn")

    @property
    def turns(self) -> Locator:
        """The questions with their answers."""
        return self.page.locator(".tn-turn")

    @property
    def last(self) -> Locator:
        """The last turn."""
        return self.turns.last

    def ask(self, question: str) -> str:
        """Ask and wait for the whole answer; its text."""
        before = self.turns.count()
        self.page.fill(QUESTION, question)
        self.page.press(QUESTION, "Enter")
        return self.answered(before + 1)

    def answered(self, count: int) -> str:
        """Wait until there are so many turns, the last one whole; its text."""
        turn = self.page.locator(f".tn-turn:nth-child({count})")
        turn.wait_for()
        self.page.wait_for_selector(f".tn-turn:nth-child({count})[aria-busy=false]", timeout=60_000)
        return turn.locator(".tn-reply").inner_text()

    def side(self) -> None:
        """Open the sidebar where it is a drawer."""
        if self.page.locator(".tn-open-side").is_visible():
            self.page.click(".tn-open-side")

    def tab(self, name: str) -> None:
        """Go to a view, by the end of its tab's id."""
        self.side()
        self.page.click(f".tn-nav [data-view={name}]")
        self.page.locator(f"#tn-tab-{name}").wait_for()


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """The page, opened by an English reader; nothing outside was asked for, and nothing failed."""
    with visiting(browser, address) as visit:
        yield visit


@contextmanager
def visiting(browser: Browser, address: str, locale: str = "en-US", width: int = 1280) -> Iterator[Visit]:
    """A visit by a reader of a language, in a window of some width."""
    window: ViewportSize = {"width": width, "height": 800}
    context = browser.new_context(locale=locale, viewport=window, reduced_motion="reduce")
    visit = Visit(context, address)
    yield visit
    context.close()
    outside = [url for url in visit.requests if urlsplit(url).hostname not in ("127.0.0.1", None)]
    assert outside == []
    assert visit.errors == []
