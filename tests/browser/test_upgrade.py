"""What breaks in code, in a real browser: pasted, and read from files that never reach a disk as they are."""

from __future__ import annotations

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
