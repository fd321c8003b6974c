"""Which documents an update takes, and what it says of the others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from index.storage.changes import plan_update
from ingest.document import Document
from tests.index.light import make_document
from tests.rows import each_row

A, B, C = (make_document(name, f"Text of {name}.\n") for name in "abc")
TWIN = replace(A, id="twin", title="Twin", origin="notes/twin.md")
OLD = replace(A, id="user-2.4-en-0123456789")
NEW = replace(A, id="user-2.5-en-0123456789", text="Edited.\n")


def plan(
    stored: list[Document], add: list[Document], remove: list[str]
) -> tuple[str, dict[str, list[str]], list[tuple[str, str]]]:
    documents, report = plan_update({d.id: d for d in stored}, add, remove)
    changes = {
        name: list(getattr(report, name))
        for name in ("added", "changed", "unchanged", "removed")
        if getattr(report, name)
    }
    return " ".join(documents), changes, [(left.document_id, left.reason) for left in report.left_out]


@each_row(
    ("stored", "add", "remove", "holds", "changes", "left_out"),
    [
        pytest.param([], [B, A], [], "a b", {"added": ["a", "b"]}, [], id="new, ordered by title"),
        pytest.param([A, B], [A], [], "a b", {"unchanged": ["a"]}, [], id="unchanged"),
        pytest.param([A], [replace(A, url="x")], [], "a", {"changed": ["a"]}, [], id="changed metadata"),
        pytest.param([A, B], [], ["a", "zzz"], "b", {"removed": ["a"]}, [], id="removed, unknown ignored"),
        pytest.param([A], [A], ["a"], "a", {"unchanged": ["a"]}, [], id="added and removed stays"),
        pytest.param([], [A, A], [], "a", {"added": ["a"]}, [], id="given twice"),
        pytest.param(
            *([], [A, replace(A, origin="/notes/a.md")], [], "a", {"added": ["a"]}),
            [("a", "it is the same document as notes/a.md")],
            id="given twice by other names",
        ),
        pytest.param(
            *([A], [replace(A, id="copy", origin="copy.md")], [], "a", {}),
            [("copy", "it is the same document as notes/a.md")],
            id="copy of a stored one",
        ),
        pytest.param(
            *([OLD], [NEW], [], NEW.id, {"added": [NEW.id], "removed": [OLD.id]}),
            [],
            id="edit that changes the release",
        ),
        pytest.param(
            *([A], [TWIN], [], "a", {}),
            [("twin", "its text is that of 'a' (notes/a.md)")],
            id="twin of a stored one",
        ),
        pytest.param(
            *([], [TWIN, A], [], "twin", {"added": ["twin"]}),
            [("a", "its text is that of 'twin' (notes/twin.md)")],
            id="twin given before",
        ),
        pytest.param(
            *([A], [TWIN, A], [], "a", {"unchanged": ["a"]}),
            [("twin", "its text is that of 'a' (notes/a.md)")],
            id="stored one stays whatever the order",
        ),
        pytest.param(
            [A], [TWIN], ["a"], "twin", {"added": ["twin"], "removed": ["a"]}, [], id="twin of a removed one"
        ),
        pytest.param(
            *([A, B], [replace(B, text=A.text)], [], "a", {"removed": ["b"]}),
            [("b", "its text is that of 'a' (notes/a.md)")],
            id="becomes a twin",
        ),
        pytest.param(
            *([A, B], [replace(A, text=B.text), replace(B, text=A.text)], []),
            *("a b", {"changed": ["a", "b"]}, []),
            id="texts swapped",
        ),
        pytest.param(
            *([], [A, replace(B, id="a")], [], "a", {"added": ["a"]}),
            [("a", "its id 'a' is also that of notes/a.md")],
            id="same id twice",
        ),
        pytest.param(
            *([A], [replace(A, text="\n")], [], "", {"removed": ["a"]}, [("a", "it has no text")]),
            id="emptied",
        ),
        pytest.param(
            [A], [replace(C, text=A.text + " ")], [], "a c", {"added": ["c"]}, [], id="one byte differs"
        ),
    ],
)
def test_plan(
    stored: list[Document],
    add: list[Document],
    remove: list[str],
    holds: str,
    changes: dict[str, list[str]],
    left_out: list[tuple[str, str]],
) -> None:
    assert plan(stored, add, remove) == (holds, changes, left_out)


def test_the_order_does_not_depend_on_ids() -> None:
    moved = [replace(A, id="z"), replace(B, id="y"), replace(C, id="x")]
    assert plan([], moved, [])[0] == "z y x"
