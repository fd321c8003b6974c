"""The documents tab in a real browser: files are sent, taken, listed and removed, and do no harm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import visiting
from tests.ui.notes import HARMFUL
from tests.ui.web.serving import serving
from tests.ui.web.small import make

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAME = "notes #1 <img src=x onerror=window.hurt=8>.md"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of an index of its own, which visitors may change."""
    folder = tmp_path_factory.mktemp("documents")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADIO_TEMP_DIR", str(folder / "uploads"))
        with serving(make(folder, patch).app_state) as address:
            yield address
        assert not [path for path in (folder / "uploads").rglob("*") if path.is_file()]


def test_files_are_added_listed_and_removed(browser: Browser, address: str, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    with visiting(browser, address) as visit:
        page = visit.page
        visit.tab("documents")
        harmful = tmp_path / NAME
        harmful.write_text(HARMFUL.replace("quuxifier", "frobnicator"), encoding="utf-8")
        (tmp_path / "paper.pdf").write_text("%PDF")
        page.set_input_files("#tn-doc-files input[type=file]", [harmful, tmp_path / "paper.pdf"])
        expect(page.locator("#tn-doc-files a")).to_have_count(2)  # of both it shows where they lie now
        page.click("#tn-doc-add")
        expect(page.locator("#tn-doc-report")).to_contain_text("files of type .pdf are not read")
        expect(page.locator("#tn-doc-report")).to_contain_text(NAME)
        expect(page.locator("#tn-doc-list tbody tr")).to_have_count(4)
        expect(page.locator("#tn-doc-files a")).to_have_count(0)

        page.fill("#tn-doc-filter :is(input, textarea)", "#1")
        expect(page.locator("#tn-doc-list tbody tr")).to_have_count(1)
        page.get_by_label(re.compile(re.escape(NAME))).check()
        page.click("#tn-doc-ask")
        expect(page.locator("#tn-doc-question")).to_contain_text(NAME)
        page.click("#tn-doc-go")
        expect(page.locator("#tn-doc-removal")).to_contain_text("removed")
        expect(page.locator("#tn-doc-list")).to_contain_text("Documents: 3; added by users: 3.")
        expect(page.locator("#tn-doc-go")).to_be_hidden()
        assert page.evaluate("window.hurt") is None
