"""Documents that visitors add and remove, over a real index and real sockets."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ingest.errors import TorchnotesError
from ingest.fetch import MAX_BYTES
from tests.rows import each_row
from tests.ui.web.small import NOTE, Small, done, make
from ui.web.documents.document_labels import STEPS
from ui.web.documents.intake import RefusedDocument, Upload, _plain_name
from ui.web.guard.uploads import MOST_FILES


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Small:
    return make(tmp_path, monkeypatch)


def test_files_come_in_under_the_names_their_owner_knows(small: Small) -> None:
    releases = [
        {"tag_name": "v2.7.0", "name": "PyTorch 2.7.0 Release", "body": "# Highlights\n\nMega Cache."}
    ]
    sent = [
        small.send("frob.md", NOTE.format("frobnicator"), "my frob #1.md"),
        small.send(
            "page.html", "<html><body><article><h1>Page</h1><p>PyTorch 2.6 runs.</p></article></body>"
        ),
        small.send("v2.4.txt", "这里说的是编译缓存，没有标题。".encode("gb18030")),
        small.send("releases.json", json.dumps(releases)),
    ]
    stages, outcome = done(small.intake.add(sent, "", "en"))
    assert not outcome.refused and outcome.updated
    found = {document.origin: document for _, document in outcome.taken}
    assert set(found) == {
        "upload://my frob #1.md",
        "upload://page.html",
        "upload://v2.4.txt",
        "upload://releases.json#v2.7.0",
    }
    assert {fate for fate, _ in outcome.taken} == {"new"}
    assert (found["upload://v2.4.txt"].version, found["upload://v2.4.txt"].language) == ("2.4", "zh")
    assert found["upload://releases.json#v2.7.0"].kind == "release-notes"
    assert small.titles >= {"frobnicator", "PyTorch 2.7.0 Release"}
    assert not small.left and not list(small.folder.iterdir())
    assert [*dict.fromkeys(stages)] == [stage for stage in STEPS["en"] if stage in stages]
    assert outcome.documents == 7 and outcome.chunks > 7 and outcome.embedded > 0


def test_the_same_name_again_replaces(small: Small) -> None:
    done(small.intake.add([small.send("a.md", NOTE.format("first"))], "", "en"))
    _, same = done(small.intake.add([small.send("a.md", NOTE.format("first"))], "", "en"))
    assert [fate for fate, _ in same.taken] == ["unchanged"]
    _, changed = done(small.intake.add([small.send("b.md", NOTE.format("second"), "C:\\x\\a.md")], "", "en"))
    assert [fate for fate, _ in changed.taken] == ["changed"]
    other = NOTE.format("third").replace("2.6", "2.7")
    _, moved = done(small.intake.add([small.send("a.md", other)], "", "en"))
    assert [fate for fate, _ in moved.taken] == ["new"]
    assert [document.title for document in moved.removed] == ["second"]
    assert "third" in small.titles and not {"first", "second"} & small.titles


def test_the_same_name_twice_at_once_is_refused(small: Small) -> None:
    sent = [small.send("a.md", NOTE.format("one")), small.send("a.md", NOTE.format("two"))]
    _, outcome = done(small.intake.add(sent, "", "en"))
    assert [document.title for _, document in outcome.taken] == ["one"]
    assert outcome.refused == (
        RefusedDocument("a.md", "a file of the same name was given with it; rename one of them"),
    )


def test_what_cannot_be_taken_is_one_line_each_and_the_rest_goes_on(small: Small) -> None:
    huge = small.send("huge.md", "")
    with huge.path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    gone = small.send("gone.md", "x")
    gone.path.unlink()
    sent = [
        small.send("empty.md", ""),
        small.send("paper.pdf", "%PDF-1.4"),
        small.send("notes.zip", b"PK\x03\x04"),
        small.send("zip.md", b"PK\x03\x04abc"),
        small.send("binary.md", b"abc\0def"),
        small.send("broken.md", "中文".encode()[:-1]),
        huge,
        gone,
        small.send("good.md", NOTE.format("good")),
        small.send("copy.md", NOTE.format("good")),
    ]
    _, outcome = done(small.intake.add(sent, "", "en"))
    assert [document.title for _, document in outcome.taken] == ["good"]
    said = {refusal.source: refusal.reason for refusal in outcome.refused}
    expected = {
        "empty.md": "is empty",
        "paper.pdf": ".pdf are not read",
        "notes.zip": ".zip are not read",
        "zip.md": "a ZIP or Office file",
        "binary.md": "a binary file",
        "broken.md": "broken at byte",
        "huge.md": "more than the 20 MB allowed",
        "gone.md": "choose the file again",
        "copy.md": "good.md",
    }
    assert said.keys() == expected.keys()
    assert all(words in said[name] and "\n" not in said[name] for name, words in expected.items())
    assert not any("upload:" in reason for reason in said.values())
    assert not small.left


def test_a_file_of_three_megabytes_is_no_matter_of_size(small: Small) -> None:
    _, outcome = done(small.intake.add([small.send("a.md", b"\0" * 3_000_000)], "", "en"))
    assert outcome.refused and "MB" not in outcome.refused[0].reason


def test_nothing_taken_leaves_the_index_alone(small: Small) -> None:
    before = small.app_state.factory.store.current()
    stages, outcome = done(small.intake.add([small.send("a.exe", "x")], "", "zh"))
    assert not outcome.updated and not outcome.taken and {*stages} <= {"load"}
    assert small.app_state.factory.store.current() == before


def test_more_files_than_allowed_are_refused_in_one_line(small: Small) -> None:
    sent = [small.send(f"{number}.exe", "x") for number in range(MOST_FILES)]
    sent += [small.send("over.md", NOTE.format("over")), small.send("past.md", NOTE.format("past"))]
    _, outcome = done(small.intake.add(sent, "", "en"))
    assert len(outcome.refused) == MOST_FILES + 1 and not outcome.taken
    assert outcome.refused[-1].source == "over.md …" and "the other 2" in outcome.refused[-1].reason
    assert not small.left


def test_where_the_operators_files_lie_is_not_told(small: Small, tmp_path: Path) -> None:
    text = (tmp_path / "notes" / "en.md").read_text(encoding="utf-8")
    _, outcome = done(small.intake.add([small.send("mine.md", text)], "", "en"))
    (refusal,) = outcome.refused
    assert refusal.source == "mine.md" and "en.md" in refusal.reason
    assert str(tmp_path) not in refusal.reason


def test_nothing_outside_the_folder_of_uploads_is_read_or_deleted(small: Small, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text(NOTE.format("secret"))
    ways = [secret, small.folder / ".." / "secret.md"]
    for path in ways:
        _, outcome = done(small.intake.add([Upload(path, "a.md")], "", "en"))
        assert not outcome.taken and "on the server no more" in outcome.refused[0].reason
    assert secret.exists()


class _Counting(BaseHTTPRequestHandler):
    """Counts who comes."""

    seen: list[str]

    def do_GET(self) -> None:
        self.seen.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        return


def test_private_addresses_are_refused_without_a_request(small: Small) -> None:
    seen: list[str] = []
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Counting,), {"seen": seen}))
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]"):
        _, outcome = done(small.intake.add([], f"http://{host}:{httpd.server_port}/notes.md", "en"))
        assert not outcome.taken and "private or local address" in outcome.refused[0].reason
    httpd.shutdown()
    httpd.server_close()
    thread.join()
    assert not seen


@pytest.mark.parametrize(
    "address", ["/etc/passwd", "file:///etc/passwd", "../notes", "example.org/a", "ftp://example.org/a.md"]
)
def test_only_web_addresses_are_read(small: Small, tmp_path: Path, address: str) -> None:
    _, outcome = done(small.intake.add([], address, "en"))
    assert outcome.refused == (RefusedDocument(address, "only http:// and https:// addresses are read"),)
    _, local = done(small.intake.add([], str(tmp_path / "notes"), "zh"))
    assert not local.taken and "http://" in local.refused[0].reason


def test_documents_are_removed(small: Small) -> None:
    documents = small.app_state.assistant().retriever.generation.documents
    name = next(name for name, document in documents.items() if document.version == "2.5")
    _, outcome = done(small.intake.remove([name]))
    assert [document.id for document in outcome.removed] == [name] and outcome.documents == 2
    with pytest.raises(TorchnotesError, match=r"no document .* is in the index"):
        done(small.intake.remove([name]))


def test_what_ships_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = make(tmp_path, monkeypatch, shipped=True)
    documents = small.app_state.assistant().retriever.generation.documents
    shipped = [name for name, document in documents.items() if document.origin.startswith("shipped:")]
    assert len(shipped) == 2
    with pytest.raises(TorchnotesError, match="ships with torchnotes and stays"):
        done(small.intake.remove([*documents.keys() - {*shipped}, shipped[0]]))
    assert len(small.app_state.assistant().retriever.generation.documents) == 5
    sent = [small.send("2.4.md", NOTE.format("fake"), "shipped:en/2.4.md")]
    _, outcome = done(small.intake.add(sent, "", "en"))
    assert [document.origin for _, document in outcome.taken] == ["upload://2.4.md"]
    _, outcome = done(small.intake.add([small.send("x.md", NOTE.format("f"), "shipped:x.md")], "", "en"))
    assert [document.origin for _, document in outcome.taken] == ["upload://shipped:x.md"]
    done(small.intake.remove([outcome.taken[0][1].id]))


@each_row(
    ("sent", "kept"),
    [
        ("/etc/passwd.md", "passwd.md"),
        ("..\\..\\a.md", "a.md"),
        ("a\u202e\x1b[31m\nb.md", "a[31m b.md"),
        ("é.md", "é.md"),
        ("", "?"),
        ("x" * 500 + ".markdown", "x" * 111 + ".markdown"),
    ],
)
def test_names_are_plain(sent: str, kept: str) -> None:
    assert _plain_name(sent) == kept
