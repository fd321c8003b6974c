"""What breaks in code, in a real browser: pasted, and read from files that never reach a disk as they are."""

from __future__ import annotations

import base64
import zipfile
from pathlib import Path

from tests.browser.conftest import Visit

CODE = "import torch\ntorch.qr(x)\n"


def test_pasted_code_and_chosen_files(visit: Visit, tmp_path: Path) -> None:
    page = visit.page
    visit.tab("upgrade")
    report = page.locator("#tn-code-report")
    page.click("#tn-code-go")
    report.locator(".tn-error", has_text="There is no code").wait_for()
    page.locator("#tn-code textarea").fill("import torch\ntorch.cholesky(x)\n")
    page.click("#tn-code-go")
    report.locator("code", has_text="torch.cholesky").first.wait_for()
    for name, text in (("train.py", CODE), ("notes.pdf", "no code"), ("requirements.txt", "torch==2.3.0\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    with page.expect_file_chooser() as choosing:
        page.click("#tn-code-files")
    choosing.value.set_files([tmp_path / name for name in ("train.py", "notes.pdf", "requirements.txt")])
    report.locator("h3", has_text="train.py").wait_for()
    assert "1 Python file" in report.inner_text() and "notes.pdf" not in report.inner_text()


def test_a_zip_is_chosen_or_dropped(visit: Visit, tmp_path: Path) -> None:
    page = visit.page
    visit.tab("upgrade")
    report = page.locator("#tn-code-report")
    for name in ("one", "two"):
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"{name}/train.py", CODE)
            archive.writestr(f"../{name}.py", CODE)
    with page.expect_file_chooser() as choosing:
        page.click("#tn-code-files")
    choosing.value.set_files(tmp_path / "one.zip")
    report.locator("h3", has_text="one/train.py").wait_for()
    assert "leads out of the archive" in report.inner_text()
    held = page.evaluate_handle(
        """(text) => {
            const held = new DataTransfer();
            const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
            held.items.add(new File([bytes], "two.zip", { type: "application/zip" }));
            return held;
        }""",
        base64.b64encode((tmp_path / "two.zip").read_bytes()).decode(),
    )
    page.dispatch_event("#tn-code textarea", "drop", {"dataTransfer": held})
    report.locator("h3", has_text="two/train.py").wait_for()
    assert "one/train.py" not in report.inner_text()
