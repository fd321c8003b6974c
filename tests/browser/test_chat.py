"""Asking in a real browser: answers, follow-ups, what a reader does with a turn, and what stays."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assistant.factory import AssistantFactory
from assistant.feedback.store import FILE, FeedbackStore
from assistant.settings import load_settings
from tests.assistant.model_server import Fault, ModelServer, Reply
from tests.browser.conftest import QUESTION, Visit, visiting
from tests.ui.web.serving import serving
from ui.cli.commands.web import listen
from ui.shared.app_state import AppState

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BACK = "How do I go back to the old backend?"
TCPSTORE = "What is the default backend of TCPStore in 2.4?"


def test_a_follow_up_knows_the_question_before(visit: Visit) -> None:
    visit.ask(TCPSTORE)
    assert "libuv" in visit.ask(BACK)
    assert visit.turns.count() == 2
    visit.page.click("#tn-new")
    visit.page.wait_for_selector(".tn-empty")
    assert visit.turns.count() == 0


def test_declining_is_shown_as_such_and_offers_what_is_nearest(visit: Visit) -> None:
    answer = visit.ask("Does PyTorch run on the Commodore 64?")
    assert "Not in the notes" in answer and "Nearest passages" in answer
    visit.last.locator("button.tn-source").first.click()
    assert "PyTorch" in visit.page.locator(".tn-panel .tn-card").first.inner_text()


def test_an_example_is_asked_and_the_interface_speaks_chinese(browser: Browser, address: str) -> None:
    with visiting(browser, address, "zh-CN") as visit:
        page = visit.page
        page.wait_for_selector("text=全部版本")
        page.wait_for_function("document.documentElement.lang === 'zh'")
        page.locator(".tn-example", has_text="FlexAttention 是哪个版本加入的").click()
        assert "FlexAttention" in visit.answered(1)
        page.locator("#tn-language label", has_text="English").click()
        page.wait_for_selector("text=All releases")
        page.wait_for_selector(".tn-turn [aria-label=Retry]")
        assert page.locator(".tn-nav [data-view=compare]").inner_text() == "Compare"
        page.reload()  # what was chosen is remembered
        page.wait_for_selector("#tn-language label.selected >> text=English")
        assert "What the notes" not in visit.ask("FlexAttention 是哪个版本加入的？")
        assert visit.last.locator(".tn-answer").get_attribute("lang") == "en"


@pytest.mark.long
def test_only_the_chosen_releases_are_searched(visit: Visit) -> None:
    visit.page.click(".tn-pop-releases summary")
    visit.page.locator(".tn-release-list label", has_text="2.5").click()
    visit.page.keyboard.press("Escape")
    assert "2.5" in visit.page.locator(".tn-pop-releases summary").inner_text()
    visit.ask("FlexAttention")
    badges = visit.page.locator(".tn-card .tn-badge:not(.tn-status)").all_inner_texts()
    assert badges and set(badges) <= {"PyTorch 2.5"}


@pytest.mark.long
def test_what_is_copied_has_the_sources(visit: Visit) -> None:
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.ask(TCPSTORE)
    visit.last.locator("[aria-label='Copy the answer']").click()
    visit.last.locator("text=Copied").wait_for()
    copied = visit.page.evaluate("navigator.clipboard.readText()")
    assert "libuv" in copied and "[1]" in copied and "<https://example.org/notes/2.4" in copied
    assert "> The default backend of TCPStore is `libuv` in PyTorch 2.4." in copied


def test_an_edited_question_is_a_version_and_nothing_is_lost(visit: Visit) -> None:
    page = visit.page
    visit.ask(TCPSTORE)
    visit.ask("And FSDP2?")
    visit.turns.first.locator(".tn-edit").click()
    assert visit.turns.count() == 2, "nothing is cut before it is sent"
    box = visit.turns.first.locator("form textarea")
    box.fill("What is FSDP2?")
    box.press("Enter")
    assert "FSDP2" in visit.answered(1) and visit.turns.count() == 1
    assert "2/2" in visit.last.locator(".tn-versions").inner_text()
    visit.last.get_by_role("button", name="Previous version").click()
    assert visit.turns.count() == 2 and "TCPStore" in visit.turns.first.inner_text()
    visit.last.get_by_role("button", name="Retry").click()
    visit.answered(2)
    assert "2/2" in visit.last.locator(".tn-versions").inner_text()
    page.reload()
    visit.ready()
    assert visit.turns.count() == 2 and "1/2" in visit.turns.first.locator(".tn-versions").inner_text()
    visit.turns.first.get_by_role("button", name="Next version").click()
    assert visit.turns.count() == 1 and "FSDP2" in visit.turns.first.inner_text()


def test_two_pages_of_one_conversation_lose_no_turn(visit: Visit, address: str) -> None:
    visit.ask(TCPSTORE)
    other = Visit(visit.context, address)
    other.page.locator(".tn-open-chat", has_text="TCPStore").click()
    other.answered(1)
    other.ask("What is FSDP2?")
    assert "FSDP2" in visit.answered(2), "the first page hears of it"
    visit.ask(BACK)
    other.answered(3)
    for page in (visit, other):
        page.page.reload()
        page.ready()
        assert page.turns.count() == 3
    assert other.errors == []


@pytest.mark.long
def test_a_word_on_an_answer_is_kept_and_taken_back(visit: Visit, app_state: AppState) -> None:
    kept = FeedbackStore(app_state.factory.settings.home / FILE)
    visit.ask(TCPSTORE)
    visit.last.locator("[aria-label='Not right']").click()
    visit.last.locator("text=Something is missing").click()
    visit.last.locator("form textarea").fill("什么好处？<b>")
    visit.last.locator("form button").click()
    visit.last.locator("text=Noted").wait_for()
    (feedback,) = [each for each in kept.all() if each.question == TCPSTORE]
    assert (feedback.good, feedback.reason, feedback.comment) == (False, "incomplete", "什么好处？<b>")
    assert feedback.citations and feedback.versions == app_state.assistant().versions
    visit.last.locator("[aria-label='Helpful']").click()
    visit.last.locator("[aria-label='Helpful'][aria-pressed=true]").wait_for()
    assert [each.good for each in kept.all() if each.answer_id == feedback.answer_id] == [True]
    visit.last.locator("[aria-label='Helpful']").click()
    visit.last.locator("[aria-label='Helpful'][aria-pressed=false]").wait_for()
    assert feedback.answer_id not in [each.answer_id for each in kept.all()]


def test_conversations_survive_a_reload_and_come_back_from_the_history(visit: Visit) -> None:
    page = visit.page
    visit.ask(TCPSTORE)
    page.reload()
    visit.ready()
    assert "libuv" in visit.last.inner_text()
    assert "libuv" in page.locator(".tn-panel mark").all_inner_texts()
    assert "libuv" in visit.ask(BACK)  # it still leans on the one before
    page.click("#tn-new")
    visit.ask("What is FSDP2?")
    page.locator(".tn-open-chat", has_text=TCPSTORE).click()
    assert visit.turns.count() == 2 and "TCPStore" in visit.turns.first.inner_text()
    page.locator(".tn-list li", has_text=TCPSTORE).hover()
    with page.expect_download() as downloading:
        page.locator(".tn-list li", has_text=TCPSTORE).locator("[title=Export]").click()
    exported = Path(downloading.value.path()).read_text(encoding="utf-8")
    assert exported.startswith(f"# {TCPSTORE}") and exported.count("**Question**") == 2
    page.locator(".tn-list li", has_text="FSDP2").hover()
    page.locator(".tn-list li", has_text="FSDP2").locator("[title=Delete]").click()
    page.locator(".tn-list li", has_text="FSDP2").wait_for(state="detached")
    page.get_by_role("button", name="Undo").click()
    page.locator(".tn-list li", has_text="FSDP2").wait_for()


def test_deleting_all_asks_and_can_be_undone(visit: Visit) -> None:
    page = visit.page
    visit.ask(TCPSTORE)
    page.click(".tn-delete-all")
    page.locator("dialog").get_by_role("button", name="Cancel").click()
    assert visit.turns.count() == 1
    page.click(".tn-delete-all")
    page.locator("dialog").get_by_role("button", name="Delete all").click()
    page.wait_for_selector("text=No conversations yet")
    assert visit.turns.count() == 0
    page.get_by_role("button", name="Undo").click()
    assert "libuv" in visit.answered(1)
    page.click(".tn-delete-all")
    page.locator("dialog").get_by_role("button", name="Delete all").click()
    page.wait_for_selector("text=No conversations yet")
    page.reload()
    page.wait_for_selector(".tn-empty")


@pytest.mark.long
def test_a_restart_of_the_server_loses_nothing(browser: Browser, app_state: AppState) -> None:
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    with serving(app_state, listening=listening) as address:
        context = browser.new_context(locale="en-US")
        visit = Visit(context, address)
        visit.ask(TCPSTORE)
    visit.page.fill(QUESTION, BACK)
    visit.page.press(QUESTION, "Enter")
    visit.page.wait_for_selector("text=The server cannot be reached")
    again = socket.socket()
    again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    again.bind(("127.0.0.1", port))
    again.listen()
    with serving(app_state, listening=again):
        visit.page.wait_for_event("load")  # gradio's scripts look for the server, and load the page again
        visit.ready()
        visit.last.get_by_role("button", name="Retry").click()
        assert "USE_LIBUV" in visit.answered(2)
    context.close()


@pytest.mark.long
def test_an_answer_is_stopped_and_the_model_with_it(
    browser: Browser, server_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHNOTES_HOME", str(server_home))
    monkeypatch.setenv("TORCHNOTES_SHIPPED_CORPUS", "false")
    silent = Reply(["The default backend of TCPStore is `libuv` [1]. It ", Fault.WAIT])
    with ModelServer(silent) as model:
        app_state = AppState(
            AssistantFactory(load_settings(llm_url=model.url, llm_model="slow", llm_timeout=4.0))
        )
        with serving(app_state) as address, visiting(browser, address) as visit:
            page = visit.page
            assert "slow" in page.locator("#tn-model").inner_text()
            page.fill(QUESTION, TCPSTORE)
            page.press(QUESTION, "Enter")
            page.wait_for_selector(".tn-turn:last-child .tn-answer")
            page.fill(QUESTION, "Typed meanwhile")
            page.press(QUESTION, "Enter")
            assert page.input_value(QUESTION) == "Typed meanwhile"  # one at a time; nothing is lost
            page.click("#tn-stop")
            page.wait_for_selector("text=Stopped.")
            assert model.gone.wait(30)  # it need not write on for nobody
            page.locator("#tn-model input").uncheck()
            visit.last.get_by_role("button", name="Retry").click()
            assert "libuv" in visit.answered(1)
            assert len(model.requests) == 1 and app_state.line.free


@pytest.mark.long
def test_a_link_of_the_page_asks_and_one_from_elsewhere_only_fills_the_box(
    visit: Visit, address: str
) -> None:
    visit.tab("api")
    link = "<a href='#ask=What%20is%20FSDP2%3F'>ask here</a>"
    visit.page.locator("#tn-tab-api").evaluate(
        "(at, link) => at.insertAdjacentHTML('afterbegin', link)", link
    )
    visit.page.get_by_text("ask here").click()
    assert "FSDP2" in visit.answered(1)
    assert visit.page.url.rstrip("/") == address
    visit.page.goto("about:blank")
    visit.page.goto(f"{address}/#ask=What%20is%20%3Cb%3ETCPStore%3F")
    visit.page.wait_for_function(f"document.querySelector('{QUESTION}')?.value === 'What is <b>TCPStore?'")
