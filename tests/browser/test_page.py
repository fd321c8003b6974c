"""The page around the answers: conversations, links, the environment, and views that are filled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from assistant.answer import Answer
from assistant.assistant import Assistant
from tests.browser.conftest import QUESTION, Visit, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TCPSTORE = "What is the default backend of TCPStore in 2.4?"
REPORT = """PyTorch version: 2.8.0+cu128
CUDA used to build PyTorch: 12.8
ROCM used to build PyTorch: N/A
OS: Ubuntu 22.04.4 LTS (x86_64)
Python version: 3.12.4 | packaged (main) (64-bit runtime)
GPU models and configuration: GPU 0: NVIDIA A100-SXM4-80GB
"""


def test_a_conversation_is_named_pinned_and_found(visit: Visit) -> None:
    page = visit.page
    visit.ask(TCPSTORE)
    page.click("#tn-new")
    visit.ask("What is FSDP2?")
    row = page.locator(".tn-list li", has_text="TCPStore")
    row.hover()
    row.locator("[title=Pin]").click()
    page.locator(".tn-list h2", has_text="Pinned").wait_for()
    row.hover()
    row.locator("[title=Rename]").click()
    page.locator(".tn-list form input").fill("<b>Backends</b>")
    page.keyboard.press("Enter")
    page.locator(".tn-open-chat", has_text="<b>Backends</b>").wait_for()
    page.fill(".tn-search", "libuv")  # of its answer
    page.locator(".tn-open-chat", has_text="FSDP2").wait_for(state="detached")
    assert page.locator(".tn-open-chat").count() == 1
    page.reload()
    visit.ready()
    assert page.locator(".tn-list li").first.inner_text() == "<b>Backends</b>"


def test_a_link_keeps_question_and_releases(visit: Visit) -> None:
    page = visit.page
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click(".tn-pop-releases summary")
    page.locator(".tn-release-list label", has_text="2.4").click()
    page.keyboard.press("Escape")
    visit.ask(TCPSTORE)
    visit.last.locator("[aria-label='Copy a link']").click()
    visit.last.locator("text=Link copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert "#ask=What%20is" in link and "in=2.4" in link and "index=" in link
    page.goto("about:blank")
    visit.open(link)
    page.wait_for_function(f"document.querySelector('{QUESTION}').value === {TCPSTORE!r}")
    assert "2.4" in page.locator(".tn-pop-releases summary").inner_text()


def test_an_environment_is_read_from_a_report_and_kept(visit: Visit) -> None:
    page = visit.page
    page.click(".tn-pop-environment summary")
    page.fill(".tn-pop-environment textarea", REPORT)
    page.click(".tn-pop-environment [type=submit]")
    chip = page.locator(".tn-pop-environment summary")
    assert chip.inner_text() == "torch 2.8.0+cu128 · NVIDIA A100-SXM4-80GB"
    page.reload()
    visit.ready()
    assert "A100" in chip.inner_text()
    chip.click()
    page.get_by_role("button", name="Clear").click()
    assert chip.inner_text() == "My environment"


@pytest.fixture
def suggesting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers suggest a question."""
    stream = Assistant.stream

    def suggests(self: Assistant, *args: Any, **options: Any) -> Iterator[Answer]:
        for answer in stream(self, *args, **options):
            yield replace(answer, suggestions=("What is <i>FSDP2</i>?",))

    monkeypatch.setattr(Assistant, "stream", suggests)


@pytest.mark.usefixtures("suggesting")
def test_a_suggested_question_is_asked(visit: Visit) -> None:
    visit.ask(TCPSTORE)
    visit.last.locator(".tn-suggestion", has_text="What is <i>FSDP2</i>?").click()
    assert "FSDP2" in visit.answered(2)
    assert visit.page.locator(".tn-suggestion:visible").count() == 1, "those of the last answer"


def test_sources_stand_beside_an_answer_only(visit: Visit) -> None:
    assert not visit.page.locator(".tn-panel").is_visible()
    visit.ask(TCPSTORE)
    assert visit.page.locator(".tn-panel").is_visible()
    answer = visit.last.bounding_box()
    assert answer is not None and answer["width"] <= 720


def test_programs_find_what_they_need_in_english_too(visit: Visit, address: str) -> None:
    visit.tab("api")
    visit.page.wait_for_selector("#tn-api pre")
    text = visit.page.locator("#tn-api").inner_text()
    assert f'Client("{address}")' in text and "upgrade(code" in text and "/gradio_api/mcp/" in text


def test_a_narrow_composer_leaves_room(browser: Browser, address: str) -> None:
    with visiting(browser, address, width=390) as visit:
        box = visit.page.locator(".tn-bottom").bounding_box()
        assert box is not None and box["height"] <= 96
        visit.tab("compare")
        visit.page.locator("#tn-upgrade table").first.wait_for()
