"""Files, folders and addresses to documents; what cannot be taken is one line, and the rest goes on."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from corpus.shipped import SHIPPED
from ingest.document import Document, source_of
from ingest.errors import SourceError
from ingest.fetch import Page
from ingest.loaders import load, load_upload, read_page
from tests.unprivileged import unprivileged

NOTE = "# {0}\n\nPyTorch 2.4 runs here. PyTorch 2.4 is good.\n"


def run(source: str | Path, **options: bool) -> tuple[list[Document], list[str]]:
    skipped: list[SourceError] = []
    documents = list(load(source, on_skip=skipped.append, **options))
    assert not any("\n" in str(error) for error in skipped)
    return documents, [str(error) for error in skipped]


def test_a_file_of_each_type(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(NOTE.format("A"))
    (tmp_path / "b.txt").write_bytes("团队记录\r\n\r\n我们升级了。\r\n".encode("gb18030"))
    (tmp_path / "c.HTML").write_text(f"<html><body><article><h1>C</h1><p>{NOTE}</p></article></body></html>")
    release = {
        "tag_name": "v2.7.0",
        "name": "PyTorch 2.7.0 Release",
        "body": "# Highlights\n\nMega Cache.",
        "published_at": "2025-04-23T16:16:58Z",
    }
    (tmp_path / "d.json").write_text(json.dumps([release, release | {"tag_name": "v2.6.0", "body": ""}]))
    documents, skipped = run(tmp_path)
    assert [document.title for document in documents] == ["A", "团队记录", "C", "PyTorch 2.7.0 Release"]
    assert documents[1].language == "zh" and "\r" not in documents[1].text
    assert documents[3].kind == "release-notes" and str(documents[3].date) == "2025-04-23"
    assert documents[3].origin == f"{tmp_path / 'd.json'}#v2.7.0"
    assert skipped == [f"{tmp_path / 'd.json'}#v2.6.0: the release has no notes (body is empty)"]


def test_a_folder_is_read_in_order_without_hidden_files(tmp_path: Path) -> None:
    for name in ("b/two.md", "a.md", "b/one.md", ".git/x.md", "b/.hidden.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(NOTE.format(name))
    documents, skipped = run(str(tmp_path))
    assert [document.title for document in documents] == ["a.md", "b/one.md", "b/two.md"]
    assert not skipped


def test_bad_files_are_one_line_each_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "binary.md").write_bytes(b"abc\0def")
    (tmp_path / "broken.md").write_bytes("中文".encode()[:-1])
    (tmp_path / "empty.md").touch()
    (tmp_path / "good.md").write_text(NOTE.format("Good"))
    (tmp_path / "json.json").write_text("{}")
    (tmp_path / "noending").write_text("x")
    (tmp_path / "page.html").write_text("<html></html>")
    (tmp_path / "paper.pdf").write_bytes(b"%PDF")
    (tmp_path / "z.md").symlink_to(tmp_path / "gone.md")
    documents, skipped = run(tmp_path)
    assert [document.title for document in documents] == ["Good"]
    for line, words in zip(
        skipped,
        [
            "binary file",
            "broken at byte",
            "is empty",
            "tag_name and body",
            "without an ending",
            "no ",
            ".pdf are not read",
            "leads nowhere",
        ],
        strict=True,
    ):
        assert words in line
    assert ".md, .markdown, .txt" in skipped[4]


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    assert run(path) == ([], [f"{path}: it has 50 MB, more than the 20 MB allowed; split it"])


def test_a_link_back_up_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "n.md").write_text(NOTE.format("N"))
    (tmp_path / "a" / "loop").symlink_to(tmp_path, target_is_directory=True)
    documents, skipped = run(tmp_path)
    assert len(documents) == 1
    assert len(skipped) == 1 and "leads back into a folder above it" in skipped[0]


def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert "no regular file" in run(tmp_path)[1][0]


def test_an_unreadable_file_is_one_line(tmp_path: Path) -> None:
    assert not run(tmp_path)[0]  # all is imported
    with unprivileged() as folder:
        (folder / "a.md").write_text("x")
        (folder / "a.md").chmod(0)
        assert "cannot be read (Permission denied)" in run(folder)[1][0]


def test_a_missing_source_is_one_line(tmp_path: Path) -> None:
    documents, (line,) = run(tmp_path / "none")
    assert not documents
    assert line.startswith(f"{tmp_path / 'none'}: there is no such file or folder; give a file")


def test_an_id_is_that_of_the_file_however_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("a/notes", "b/notes"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "x.md").write_text("# Same\n\nText.\n")
    (tmp_path / "link.md").symlink_to(tmp_path / "a" / "notes" / "x.md")
    monkeypatch.chdir(tmp_path)
    of_a, of_b = "a/notes/x.md", "b/notes/x.md"
    ids = {
        source: run(source)[0][0].id for source in (of_a, of_b, "a/../a/notes", "link.md", tmp_path / of_a)
    }
    assert ids[of_a] == ids["a/../a/notes"] == ids["link.md"] == ids[tmp_path / of_a] != ids[of_b]


def test_releases_of_one_file_are_told_apart(tmp_path: Path) -> None:
    entry = {"tag_name": "v2.7.0", "name": "Notes", "body": "One."}
    entries = [entry, entry | {"body": "Two."}, entry | {"tag_name": "v2.7.1"}]
    (tmp_path / "r.json").write_text(json.dumps(entries))
    documents, skipped = run(tmp_path)
    assert len({document.id for document in documents}) == 3 and not skipped


def test_odd_names_and_characters_are_one_line_each_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(NOTE.format("Good"))
    releases = [{"tag_name": "v1", "body": "Half \ud800."}, {"tag_name": "v2", "body": "Whole."}]
    (tmp_path / "half.json").write_text(json.dumps(releases))
    (tmp_path / "link").symlink_to("x" * 300)  # as one that leads where none may look: asking fails
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.md")).write_text(NOTE.format("Odd"))
    documents, skipped = run(tmp_path)
    assert [document.text for document in documents] == [NOTE.format("Good"), "Whole."]
    for line, words in zip(skipped, ["half.json#v1: it holds half a", "link", "is not UTF-8"], strict=True):
        assert words in line and line.encode()


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "\udcff"], ids=["long", "nul", "no text"])
def test_an_impossible_name_is_one_line(name: str) -> None:
    documents, (line,) = run(name)
    assert not documents and "there is no such file or folder" in line and line.encode()


def test_a_page_saved_under_another_name_is_still_a_page(tmp_path: Path) -> None:
    page = "<!DOCTYPE html><html><body><article><h1>T</h1><p>Text.</p></article></body></html>"
    (tmp_path / "saved.txt").write_text(page)
    assert run(tmp_path)[0][0].text == "# T\n\nText.\n"


def test_what_is_known_for_certain_comes_before_what_a_page_says() -> None:
    head = '---\ntitle: PyTorch 2.5\nrelease: "2.5"\nlanguage: en\n---\n\n'
    text = f"{head}# PyTorch 2.5 Blog\n\nPyTorch 2.5 it says.\n"
    trusted = {
        "title": "PyTorch 2.6 发布博客",
        "release": "2.6",
        "language": "zh",
        "url": "https://example.org/2.6",
    }
    page = Page("https://example.org/moved", "text/markdown", text.encode())
    document = read_page(page, trusted=trusted, origin="https://example.org/2.6")
    assert (document.title, document.version, document.language) == ("PyTorch 2.6 发布博客", "2.6", "zh")
    assert document.url == document.origin == "https://example.org/2.6"
    assert document.text == "PyTorch 2.5 it says.\n"
    assert document.removed[0].reason == "title of another release"


@pytest.mark.parametrize(
    ("media_type", "body", "message"),
    [
        ("application/zip", b"PK", "pages of type application/zip are not read"),
        ("application/json", b"{}", "JSON was sent where a page was expected"),
        ("text/html", b"", "the file is empty"),
        ("text/html", b"<html></html>", "no "),
    ],
    ids=["zip", "json", "empty", "nothing"],
)
def test_a_page_that_cannot_be_taken_is_one_line(media_type: str, body: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read_page(Page("https://example.org/a", media_type, body), trusted={}, origin="https://example.org/a")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *args: object) -> None:
            super().__init__(*args, directory=str(tmp_path / "site"))  # type: ignore[arg-type]

        def log_message(self, format: str, *args: object) -> None:
            return

    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "notes.md").write_text(NOTE.format("Team notes"))
    page = "<html><body><article><h1>Page</h1><p>Prose.</p></article></body></html>"
    (tmp_path / "site" / "page.html").write_text(page)
    (tmp_path / "site" / "x.zip").write_bytes(b"PK")
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_port}"
    httpd.shutdown()
    httpd.server_close()


def test_an_address_is_loaded_when_it_may_be(site: str) -> None:
    (document,), skipped = run(f"{site}/notes.md", allow_private=True)
    assert not skipped
    assert (document.title, document.url, document.version) == ("Team notes", f"{site}/notes.md", "2.4")
    assert run(f"{site}/page.html", allow_private=True)[0][0].text == "# Page\n\nProse.\n"


@pytest.mark.parametrize(
    ("path", "private", "message"),
    [
        ("/notes.md", False, "private or local address"),
        ("/none.md", True, "404"),
        ("/x.zip", True, "application/zip are not read"),
    ],
    ids=["private", "missing", "type"],
)
def test_an_address_that_cannot_be_taken_is_one_line(
    site: str, path: str, private: bool, message: str
) -> None:
    documents, skipped = run(site + path, allow_private=private)
    assert not documents
    assert len(skipped) == 1 and message in skipped[0]


def test_no_file_passes_for_one_that_ships(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(f"{SHIPPED}en").mkdir()
    (Path(f"{SHIPPED}en") / "2.4.md").write_text("# PyTorch 2.4\n\nNot ours.\n", encoding="utf-8")
    (document,), _ = run(f"{SHIPPED}en/2.4.md")
    assert not document.origin.startswith(SHIPPED) and document.origin.endswith(f"{SHIPPED}en/2.4.md")


def test_a_file_that_was_sent_is_known_by_its_name(tmp_path: Path) -> None:
    def sent(path: Path, name: str) -> tuple[list[Document], list[str]]:
        skipped: list[SourceError] = []
        documents = list(load_upload(path, name, on_skip=skipped.append))
        return documents, [str(error) for error in skipped]

    (tmp_path / "x1").write_text("PyTorch is told of here, without a heading.\n")
    (tmp_path / "x2").write_text(NOTE.format("B"))
    (first,), _ = sent(tmp_path / "x1", "pytorch-2.6-notes.md")
    (again,), _ = sent(tmp_path / "x2", "pytorch-2.6-notes.md")
    assert (first.origin, first.title) == ("upload://pytorch-2.6-notes.md", "pytorch-2.6-notes")
    assert first.version == "2.6" and source_of(first.id) == source_of(again.id)
    (local,), _ = run((tmp_path / "x2").rename(tmp_path / "pytorch-2.6-notes.md"))
    assert source_of(local.id) != source_of(again.id)
    assert sent(tmp_path / "x1", "a.pdf")[1][0].startswith("upload://a.pdf: files of type .pdf are not read")


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        (
            "long.md",
            "# PyTorch 2.4\n\n" + "a. " * 350_000,
            "1,050,015 characters, more than the 1,000,000 allowed",
        ),
        ("tags.html", "<html><body>" + "a<br>" * 100_000, "more than 100,000 tags; split it"),
        (
            "releases.json",
            json.dumps([{"tag_name": "v2.4", "body": "a" * 6_000_000}]),
            "more than the 6,000,000",
        ),
        ("body.json", json.dumps([{"tag_name": "v2.4", "body": "a" * 1_000_001}]), "more than the 1,000,000"),
    ],
)
def test_what_would_take_minutes_to_read_is_refused(
    tmp_path: Path, name: str, text: str, reason: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    documents, skipped = run(path)
    assert not documents and len(skipped) == 1 and reason in skipped[0]
