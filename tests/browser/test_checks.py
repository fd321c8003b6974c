"""Checks beside an answer, in a real browser: offered, shown, run, cancelled, and kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from assistant.factory import AssistantFactory
from tests.assistant.model_server import ModelServer, Reply, Request, said
from tests.browser.conftest import Visit, visiting
from tests.ui.web.serving import serving
from ui.shared.app_state import AppState

if TYPE_CHECKING:
    from playwright.sync_api import Browser

QUESTION = "What is the SDPA CPU implementation of 2.1?"
SDPA = "2.1 的 SDPA CPU 优化是什么？"


@pytest.fixture(scope="module")
def server(digest_factory: AssistantFactory) -> Iterator[str]:
    with serving(AppState(digest_factory, checks="here")) as address:
        yield address


@pytest.fixture
def here(browser: Browser, server: str) -> Iterator[Visit]:
    with visiting(browser, server) as visit:
        yield visit


def open_checks(visit: Visit) -> None:
    """Open the line below the last answer that the checks stand in."""
    visit.last.locator("details.tn-checks:not([open]) > summary").click()


def consent(visit: Visit) -> None:
    """Let a check run that is shown, under whatever isolation there is."""
    visit.page.wait_for_selector(".tn-run")
    agree = visit.page.locator(".tn-agree input")
    if agree.count():
        agree.check()
    visit.page.click(".tn-run")


def test_a_check_is_shown_before_it_runs_and_its_verdict_stays(here: Visit) -> None:
    here.ask(QUESTION)
    open_checks(here)
    offer = here.last.locator(".tn-check[data-check='sdpa-cpu']")
    assert "flash kernel of scaled_dot_product_attention" in offer.inner_text()
    offer.get_by_role("button", name="Check on this machine").click()
    here.page.wait_for_selector(".tn-run")
    assert "scaled_dot_product_attention(" in here.page.locator(".tn-program").first.inner_text()
    assert offer.locator(".tn-verdict").count() == 0
    consent(here)
    offer.locator(".tn-verdict").wait_for(timeout=90_000)
    assert "math over flash" in offer.inner_text() and "torch 2." in offer.inner_text()
    widths = [fill.bounding_box() for fill in offer.locator(".tn-bar-fill").all()]
    assert len(widths) == 2 and all(box and box["width"] > 0 for box in widths)
    copied = here.page.evaluate("window.torchnotes.conversation.turns[0].verdicts['sdpa-cpu'].markdown")
    assert "math over flash" in copied
    beside = here.page.locator(".tn-panel article .tn-verdict")
    assert beside.count() == 1 and "math over flash" in beside.inner_text()
    here.page.reload()
    here.ready()
    open_checks(here)
    assert "math over flash" in here.last.locator(".tn-check .tn-verdict").inner_text()
    assert here.last.get_by_role("button", name="Check again").count() == 1


def test_a_run_that_is_cancelled_leaves_the_offer(browser: Browser, server: str) -> None:
    with visiting(browser, server, "zh-CN", width=390) as visit:
        visit.ask(SDPA)
        open_checks(visit)
        offer = visit.last.locator(".tn-check[data-check='sdpa-cpu']")
        offer.get_by_role("button", name="在本机验证").click()
        consent(visit)
        running = offer.locator(".tn-running")
        running.wait_for()
        assert re.search(r"正在运行，\d+ 秒", running.inner_text())
        running.get_by_role("button", name="取消").click()
        running.wait_for(state="detached")
        assert offer.locator(".tn-verdict").count() == 0
        wide = visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert wide, "the page is wider than the window"


def test_a_page_that_may_run_none_offers_none(browser: Browser, digest_factory: AssistantFactory) -> None:
    with serving(AppState(digest_factory)) as address, visiting(browser, address) as visit:
        visit.ask(QUESTION)
        assert visit.last.locator(".tn-check").count() == 0


def test_the_model_names_a_check_where_no_source_has_one(
    browser: Browser, digest_factory: AssistantFactory
) -> None:
    def script(request: Request) -> Reply:
        proposing = "tcpstore-libuv: " in request.body["messages"][-1]["content"]
        return said("tcpstore-libuv" if proposing else "NOT IN THE NOTES")

    with ModelServer(script=script) as server:
        settings = replace(digest_factory.settings, llm_url=server.url, llm_model="any")
        app_state = AppState(AssistantFactory(settings), checks="here")
        with serving(app_state) as address, visiting(browser, address) as visit:
            visit.ask("torch.cuda.amp.autocast is deprecated in 2.4, what do I write instead?")
            assert visit.last.locator(".tn-offer").count() == 0
            visit.last.get_by_role("button", name="Let the model find a claim").click()
            offer = visit.last.locator(".tn-check[data-check='tcpstore-libuv']")
            offer.wait_for()
            assert "Check on this machine" in offer.inner_text() and "seconds" in offer.inner_text()
