"""What documents, titles, names, addresses and questions might try: all of it stays text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from assistant.factory import AssistantFactory
from assistant.settings import Settings
from ingest.loaders import load
from tests.browser.conftest import QUESTION, Visit, visiting
from tests.ui.notes import write_notes
from tests.ui.web.serving import serving
from ui.shared.app_state import AppState

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BEACON = "http://198.51.100.7"  # of a network for documentation: nobody is there
PAYLOADS = (
    "<script>window.hurt=1</script>",
    f"<script src={BEACON}/x.js></script>",
    "<img src=x onerror=window.hurt=1>",
    f'<img src="{BEACON}/pixel.png">',
    f"![pixel]({BEACON}/pixel.png)",
    "<svg onload=window.hurt=1>",
    "<svg><script>window.hurt=1</script></svg>",
    "<math><mtext><script>window.hurt=1</script></mtext></math>",
    f"<iframe src={BEACON}></iframe>",
    '<iframe srcdoc="<script>parent.hurt=1</script>"></iframe>',
    "<body onload=window.hurt=1>",
    "<details open ontoggle=window.hurt=1>x</details>",
    "<input autofocus onfocus=window.hurt=1>",
    "<audio src=x onerror=window.hurt=1>",
    f'<video poster="{BEACON}/p.png"></video>',
    f"<link rel=stylesheet href={BEACON}/x.css>",
    f"<style>@import '{BEACON}/x.css';</style>",
    f'<b style="background:url({BEACON}/x.png)">x</b>',
    f"<base href={BEACON}>",
    f'<meta http-equiv=refresh content="0;url={BEACON}">',
    f"<form action={BEACON}><button>x</button></form>",
    f"<object data={BEACON}></object>",
    "[go](javascript:window.hurt=1)",
    "[go](JaVaScRiPt&#58;window.hurt=1)",
    "[go](data:text/html,<script>window.hurt=1</script>)",
    "[go](vbscript:window.hurt=1)",
    "<a href=javascript:window.hurt=1>go</a>",
    "<javascript:window.hurt=1>",
    '"><script>window.hurt=1</script>',
    "'-window.hurt=1-'",
    "${window.hurt=1}",
    "{{constructor.constructor('window.hurt=1')()}}",
    "</textarea><script>window.hurt=1</script>",
    "</script><script>window.hurt=1</script>",
    "<template><img src=x onerror=window.hurt=1></template>",
    "`<img src=x onerror=window.hurt=1>`",
)
#: A thing for each four payloads to stand beside, far from all others.
NAMES = (
    "zorbaifier",
    "bluloifier",
    "kribaifier",
    "monneifier",
    "tavruifier",
    "wextiifier",
    "gelvoifier",
    "duspaifier",
    "hakmuifier",
)
GROUPS = {name: PAYLOADS[4 * number : 4 * number + 4] for number, name in enumerate(NAMES)}
assert sum(map(len, GROUPS.values())) == len(PAYLOADS)
ACTIVE = "script, iframe, object, embed, form, base, meta, link, style, img, video, [onerror], [onload]"
# What is active in the parts of the page that show words of documents and of visitors.
FOUND = f"""() => [...document.querySelectorAll(
    ".tn-reply, .tn-panel, .tn-asked, .tn-list, #tn-upgrade, #tn-history-table, #tn-holdings, .tn-doc-tab")]
  .flatMap(part => [...part.querySelectorAll("{ACTIVE}, a")])
  .filter(node => node.tagName !== "A" || !/^(https?:|#)/.test(node.getAttribute("href") ?? ""))
  .map(node => node.outerHTML.slice(0, 100))"""


def notes_of(name: str, number: int) -> str:
    """A document that holds payloads wherever one can stand."""
    first, *_ = payloads = GROUPS[name]
    sentences = "\n\n".join(
        f"The {name} multiplies sparse tensors {payload} as of this release." for payload in payloads
    )
    code = "\n".join(payloads)
    return f"""---
title: {json.dumps(f"Notes {number} {' '.join(payloads)}")}
release: "2.{number}"
language: en
url: https://example.org/{number}?q="><script>window.hurt=1</script>
---

# Notes

## [Beta] {name.title()} {first}

{sentences}

```html
{code}
```
"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over documents that hold every payload."""
    folder = tmp_path_factory.mktemp("hostile")
    for number, name in enumerate(NAMES):
        (folder / f"n{number}.md").write_text(notes_of(name, number), encoding="utf-8")
    factory = AssistantFactory(Settings(home=folder / "home", shipped_corpus=False))
    skipped: list[str] = []
    documents = [
        document
        for path in sorted(folder.glob("*.md"))
        for document in load(path, on_skip=lambda skip: skipped.append(str(skip)))
    ]
    assert len(documents) == len(NAMES), skipped
    factory.update([*documents, *load(write_notes(folder / "notes"), on_skip=lambda _: None)])
    with serving(AppState(factory, allow_documents=True)) as address:
        yield address


@pytest.fixture(scope="module")
def shared_visit(browser: Browser, hostile: str) -> Iterator[Visit]:
    """One visit for all payloads: what one of them leaves behind would show later."""
    with visiting(browser, hostile) as visit:
        yield visit
        assert visit.page.evaluate("window.hurt") is None


@pytest.mark.parametrize("name", NAMES)
def test_payloads_of_a_document_stay_text(shared_visit: Visit, name: str) -> None:
    page = shared_visit.page
    page.click("#tn-new")
    shared_visit.ask(f"What does the {name} multiply?")
    assert name in shared_visit.last.locator(".tn-answer").inner_text().lower()
    shown = page.locator(".tn-panel").inner_text()
    assert [payload for payload in GROUPS[name] if payload.strip("`") not in shown] == []
    for place in shared_visit.last.locator(".tn-cite, button.tn-source").all():
        place.hover()
        place.click()
    assert page.evaluate(FOUND) == []
    assert page.evaluate("window.hurt") is None


@pytest.mark.parametrize("first", range(0, len(PAYLOADS), 9))
def test_a_question_stays_text(shared_visit: Visit, first: int) -> None:
    question = " ".join(PAYLOADS[first : first + 9])
    shared_visit.ask(f"TCPStore backend __init__? {question}")
    asked = shared_visit.page.locator(".tn-turn:last-child .tn-plain").inner_text()
    assert question in asked and "__init__" in asked
    assert shared_visit.page.evaluate(FOUND) == []


def test_the_other_tabs_hold_no_more_than_text(shared_visit: Visit) -> None:
    page = shared_visit.page
    page.locator(".tn-list li").first.wait_for()
    shared_visit.tab("explore")
    page.locator("#tn-tab-explore table").first.wait_for()
    shared_visit.tab("documents")
    page.locator("#tn-tab-documents table").first.wait_for()
    shared_visit.tab("compare")
    page.click("#tn-compare")
    page.locator("#tn-upgrade h2").wait_for()
    assert page.evaluate(FOUND) == []
    assert page.evaluate("window.hurt") is None


def test_what_is_kept_in_the_browser_stays_text_after_a_reload(browser: Browser, hostile: str) -> None:
    with visiting(browser, hostile) as visit:
        visit.ask(f"What does the {NAMES[0]} multiply? " + "".join(PAYLOADS[:4]))
        visit.page.reload()
        visit.ready()
        visit.last.locator(".tn-cite").first.click()
        assert visit.page.evaluate(FOUND) == []
        assert visit.page.evaluate("window.hurt") is None


def test_what_another_left_in_the_browser_is_not_run(browser: Browser, hostile: str) -> None:
    """Whoever was at this address before can have written into what this origin keeps."""
    planted = f"""<p class="tn-answer" style="position:fixed" onclick="window.hurt=1">kept words</p>
        <meta http-equiv="refresh" content="0;url={hostile}/healthz"><base href="{BEACON}">
        <svg><a href="javascript:window.hurt=1"><text>x</text></a></svg>{"".join(PAYLOADS)}
        <form><input name="attributes"><input name="remove"><p onclick="window.hurt=1">x</p></form>"""
    plant = """html => new Promise((done, failed) => {
      const request = indexedDB.open("torchnotes", 1);
      request.onerror = () => failed(request.error);
      request.onsuccess = () => {
        const table = request.result.transaction("conversations", "readwrite").objectStore("conversations");
        table.getAll().onsuccess = event => {
          const [kept] = event.target.result;
          const verdict = { html, numbers: [1], markdown: "" };
          Object.assign(kept.turns[0], { html, panel: html, verdicts: { planted: verdict } });
          table.put(kept).onsuccess = () => done();
        };
      };
    })"""
    with visiting(browser, hostile) as visit:
        visit.ask(f"What does the {NAMES[0]} multiply?")
        visit.page.evaluate(plant, planted)
        visit.page.reload()
        visit.ready()
        visit.last.get_by_text("kept words").first.wait_for()
        assert visit.page.evaluate(FOUND) == []
        assert visit.page.locator(".tn-reply [style], .tn-reply [onclick]").count() == 0
        assert visit.page.evaluate("window.hurt") is None
        assert not visit.page.url.endswith("healthz")


def test_what_is_no_conversation_hides_no_others(visit: Visit) -> None:
    """Whoever was at this address before can have kept anything under the same name."""
    plant = """() => new Promise((done, failed) => {
      const request = indexedDB.open("torchnotes", 1);
      request.onerror = () => failed(request.error);
      request.onsuccess = () => {
        const table = request.result.transaction("conversations", "readwrite").objectStore("conversations");
        const turn = { id: "a", parent: "", question: "q" };
        const like = { title: "t", updated: 9e15, turns: [turn], chosen: {} };
        const all = [{}, { ...like, turns: null }, { ...like, turns: [null] }, { ...like, title: {} },
          { ...like, turns: [{ ...turn, question: {} }] }, { ...like, chosen: "x" }];
        all.forEach((each, place) => table.put({ ...each, id: `planted-${place}` }));
        table.put({ ...like, id: 5 });
        table.transaction.oncomplete = () => done();
      };
    })"""
    visit.ask("What is TCPStore?")
    visit.page.evaluate(plant)
    visit.page.reload()
    visit.ready()
    assert visit.turns.count() == 1
    visit.page.locator(".tn-list li").first.wait_for()
    assert visit.page.locator(".tn-list li").count() == 1
    visit.ask("What is FlexAttention?")
    assert visit.turns.count() == 2


def test_health_and_headers(address: str) -> None:
    with urlopen(f"{address}/healthz") as reply:
        state = json.load(reply)
        assert state["status"] == "ok" and state["documents"] == 3
        assert "default-src 'self'" in reply.headers["content-security-policy"]
    with pytest.raises(HTTPError, match="400"):
        urlopen(Request(f"{address}/healthz", headers={"Host": "elsewhere.example"}))


def test_no_file_of_the_server_is_served(address: str, server_home: Path) -> None:
    for place in ("page/../server.py", "page/%2e%2e/server.py", f"gradio_api/file={server_home}/vectors"):
        with pytest.raises(HTTPError, match=r"403|404"):
            urlopen(f"{address}/{place}")


def test_a_question_that_is_too_long_is_told_of_and_kept(visit: Visit) -> None:
    visit.page.evaluate("document.querySelector('#tn-question textarea').removeAttribute('maxlength')")
    visit.page.fill(QUESTION, "x" * 4100)
    visit.page.press(QUESTION, "Enter")
    assert "at most 4000 are read" in visit.answered(1)
    assert "xxxx" in visit.last.locator(".tn-plain").inner_text()
