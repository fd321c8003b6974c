"""Feedback in SQLite: kept, replaced, deleted, by several at once."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from assistant.feedback.store import FILE, FeedbackStore
from ingest.errors import TorchnotesError
from tests.assistant.ratings import CITATION, rating

ROOT = Path(__file__).parents[3]
HOSTILE = [
    "'; DROP TABLE feedback; --",
    '"); DELETE FROM feedback WHERE ("1"="1',
    "Robert'); UPDATE feedback SET good = 0; --",
    ":answer_id ? %s {0} \\",
    "中文“引号”与 emoji 👩‍💻，以及一个空字符 \0",
]


@pytest.fixture
def store(tmp_path: Path) -> FeedbackStore:
    """A store in a folder that there is not yet."""
    return FeedbackStore(tmp_path / "home" / FILE)


def test_what_is_added_is_found_again(store: FeedbackStore) -> None:
    assert store.all() == () and not store.path.parent.exists()  # reading makes nothing
    first = rating()
    later = rating(answer_id="answer-00000002", good=False, reason="wrong", rated_at="2026-05-10T00:00:00Z")
    numbers = [store.add(later), store.add(first)]
    assert list(store) == [later, first] == list(store.all())
    assert [each.id for each in store.all()] == numbers and len(set(numbers)) == 2


def test_an_answer_rated_again_is_kept_once(store: FeedbackStore) -> None:
    number = store.add(rating())
    store.add(rating(answer_id="answer-00000002"))
    changed = rating(good=False, reason="bad-citation", comment="引文不对", rated_at="2026-05-11T00:00:00Z")
    assert store.add(changed) == number
    assert store.all()[0] == changed and len(store.all()) == 2


def test_ratings_can_be_deleted(store: FeedbackStore) -> None:
    assert store.remove("answer-00000001") is False and store.clear() == 0 and not store.path.exists()
    numbers = [store.add(rating(answer_id=f"answer-{n:08}")) for n in range(4)]
    assert store.remove("answer-00000000") is True and store.remove("answer-00000000") is False
    assert store.delete(numbers[1]) is True and store.delete(numbers[1]) is False
    assert [each.id for each in store.all()] == [numbers[3], numbers[2]]
    assert store.clear() == 2 and store.all() == ()
    assert store.add(rating()) > numbers[3]  # a number names one rating for ever


def test_what_is_deleted_is_gone_from_the_disk(store: FeedbackStore) -> None:
    store.add(rating(comment="a secret word " * 100))
    assert any(b"a secret word" in path.read_bytes() for path in store.path.parent.iterdir())
    store.clear()
    assert not any(b"a secret word" in path.read_bytes() for path in store.path.parent.iterdir())


@pytest.mark.parametrize("text", HOSTILE, ids=["drop", "delete", "update", "placeholders", "chinese"])
def test_texts_are_data(store: FeedbackStore, text: str) -> None:
    store.add(rating(answer_id="answer-00000002"))
    hostile = rating(
        question=text,
        standalone=text,
        text=text,
        comment=text,
        model=text,
        history=[text],
        passages=[text],
        citations=[CITATION | {"quote": text, "url": text, "chunk_id": text}],
        versions={"index": text},
        rated_at="2027-01-01T00:00:00Z",
    )
    number = store.add(hostile)
    assert store.all() == (hostile, rating(answer_id="answer-00000002"))
    assert store.remove(text) is False and len(store.all()) == 2
    assert store.delete(number) is True and len(store.all()) == 1


def test_threads_write_at_once(store: FeedbackStore) -> None:
    given = [rating(answer_id=f"answer-{n:08}") for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(store.add, given))
    assert len(set(numbers)) == 40 and len(store.all()) == 40


WRITE = """
import sys
from pathlib import Path
from assistant.feedback.store import FeedbackStore
from tests.assistant.ratings import rating
store = FeedbackStore(Path(sys.argv[1]), timeout=60)
sys.stdin.readline()  # until the other one is there too
for n in range(50):
    store.add(rating(answer_id=f"process-{sys.argv[2]}-{n:04}"))
    store.add(rating(answer_id="of-both-of-them", comment=sys.argv[2]))
"""


def test_processes_write_at_once(store: FeedbackStore) -> None:
    """Both make the file as well: neither waits for the other to have made it."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", WRITE, str(store.path), name],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in "ab"
    ]
    for process in running:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    errors = [process.communicate(timeout=120)[1] for process in running]
    assert errors == ["", ""] and [process.returncode for process in running] == [0, 0]
    ids = [each.answer_id for each in store.all()]
    assert len(ids) == len(set(ids)) == 101


def test_a_reader_waits_for_no_writer(store: FeedbackStore) -> None:
    store.add(rating())
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("DELETE FROM feedback")
        assert store.all() == (rating(),)
        hasty = FeedbackStore(store.path, timeout=0.01)
        with pytest.raises(
            TorchnotesError, match=r"another process is writing it; waited 0\.01 s, try again$"
        ):
            hasty.add(rating())
    assert store.all() == (rating(),)  # what was begun and not ended is undone


def test_a_write_that_fails_leaves_nothing(store: FeedbackStore) -> None:
    store.add(rating())
    with closing(sqlite3.connect(store.path)) as other:
        other.execute("CREATE TRIGGER refuse AFTER INSERT ON feedback BEGIN SELECT RAISE(ABORT, 'no'); END")
        other.commit()
    with pytest.raises(TorchnotesError):
        store.add(rating(answer_id="answer-00000002"))
    assert store.all() == (rating(),)
