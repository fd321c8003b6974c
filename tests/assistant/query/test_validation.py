"""The arguments of `ask`: used as meant, or refused in one line."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat

import pytest

from assistant.query.validation import (
    check_feature,
    check_history,
    check_options,
    check_question,
    check_releases,
)
from ingest.errors import TorchnotesError
from ingest.release import Release
from tests.rows import each_row

KNOWN = (Release(2, 3), Release(2, 4))


@each_row(
    ("check", "message"),
    [
        (lambda: check_question(None), r"^the question is None of type NoneType; give it as a text$"),
        (lambda: check_question(["\n" * 60]), r"^the question is \['.*… of type list; give it as a text$"),
        (lambda: check_question("\n"), r"^the question is empty; type one, such as: "),
        (
            lambda: check_history("What is FSDP2?"),
            r"^history is 'What is FSDP2\?' of type str; give a list of the earlier questions, oldest first$",
        ),
        (lambda: check_history(None), r"^history is None of type NoneType; give a list"),
        (lambda: check_history([("q", "a")]), r"^history holds \('q', 'a'\) of type tuple; .*, each a text$"),
        (
            lambda: check_releases([2.4], KNOWN),
            r'^releases holds 2\.4 of type float; write each as a text, such as "2\.4"$',
        ),
        (
            lambda: check_question("TCPStore \ud800"),
            r"^the question holds half a character \('.ud800'\); give whole ones$",
        ),
        (lambda: check_question("ﷺ" * 300), r"^the question has 5400 characters; at most 4000 are read"),
        (lambda: check_history(["\udfff"]), r"^a question of history holds half a character"),
        (lambda: check_history(["x"] * 1001), r"^history has more than 1000 questions; the last 24 are read"),
        (lambda: check_history(repeat("x")), r"^history has more than 1000 questions"),
        (lambda: check_history([["x"]]), r"^history holds \['x'\] of type list; .*, each a text$"),
        (lambda: check_releases(["2.4"] * 101, KNOWN), r"^releases has more than 100 entries; give the"),
        (lambda: check_releases(repeat("2.4"), KNOWN), r"^releases has more than 100 entries"),
        (lambda: check_releases(["9" * 10**6], KNOWN), r"^'9{40}…' is not a release; write it like 2\.4"),
        (lambda: check_releases(["\ud800"], KNOWN), r"^'.ud800' is not a release"),
        (lambda: check_releases([[["2.4"]]], KNOWN), r"^releases holds \[\['2\.4'\]\] of type list"),
        (lambda: check_options("x" * 10**6, 8), r"^language 'x+…? is not spoken here"),
        (lambda: check_options(None, 51), r"^top_k is 51; it must be 50 or less$"),
        (lambda: check_options(None, 10**5000), r"^top_k is a number of many digits; it must be 50 or less$"),
        (lambda: check_feature(7), r"^feature is 7 of type int; give its name as a text"),
        (lambda: check_feature(" "), r"^the name of the feature is empty; give one"),
        (lambda: check_feature("x" * 201), r"^the name of the feature has 201 characters; at most 200"),
        (lambda: check_feature("\ud800"), r"^the name of the feature holds half a character"),
        (lambda: check_releases(2.4, KNOWN), r"^releases holds 2\.4 of type float"),
        (lambda: check_releases((2, 4), KNOWN), r"^releases holds 2 of type int"),
        (lambda: check_releases(["new"], KNOWN), r"^'new' is not a release; write it like 2\.4"),
        (lambda: check_releases("2.9", KNOWN), r"is about release 2\.9; there are 2\.3, 2\.4$"),
        (lambda: check_options("fr", 8), r"^language 'fr' is not spoken here; use one of zh, en$"),
        (lambda: check_options([], 8), r"^language \[\] is not spoken here"),
        (
            lambda: check_options(None, "8"),
            r"^top_k is '8' of type str; it must be a whole number, 1 or more$",
        ),
        (lambda: check_options(None, True), r"^top_k is True of type bool; it must be"),
        (lambda: check_options(None, 2.0), r"^top_k is 2\.0 of type float; it must be"),
        (lambda: check_options(None, 0), r"^top_k is 0; it must be 1 or more$"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(check: Callable[[], object], message: str) -> None:
    with pytest.raises(TorchnotesError, match=message) as refused:
        check()
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 160


@each_row(
    ("given", "releases"),
    [
        (None, ()),
        ((), ()),
        ("2.3", KNOWN[:1]),
        (Release(2, 3), KNOWN[:1]),
        (["v2.3.1", Release(2, 4)], KNOWN),
        ((text for text in ("2.3", "2.4")), KNOWN),
    ],
    ids=["none", "empty", "text", "release", "list", "iterator"],
)
def test_releases_are_read_from_one_or_several(given: object, releases: tuple[Release, ...]) -> None:
    assert check_releases(given, KNOWN) == releases


def test_any_run_of_texts_is_a_history() -> None:
    assert check_history(text for text in ("one", "two")) == ["one", "two"] and check_history(()) == []


def test_of_a_long_history_the_last_questions_are_read() -> None:
    assert check_history(map(str, range(1000))) == [str(n) for n in range(976, 1000)]
    assert check_history(["a" * 4000, "b" * 4000, "c" * 10]) == ["b" * 4000, "c" * 10]
    assert check_history(["a", "b" * 10**7, "c"]) == ["c"] and check_history(["a", "ﷺ" * 500]) == []


def test_options_that_can_be_used_pass() -> None:
    check_options(None, 1)
    check_options("zh", 50)
    assert check_feature("FlexAttention") == "FlexAttention"
