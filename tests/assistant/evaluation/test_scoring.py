"""The measure: what makes an answer right, and that it is the one that earlier figures were taken with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.answer import Answer
from assistant.evaluation.loader import parse_question
from assistant.evaluation.scoring import EvidenceRank, fold, score
from tests.assistant.answers import DECLINE, OTHER, PROOF, RIGHT, ROW, answer, gold
from tests.assistant.scorer import QUESTIONS, needs_scorer, scorer
from tests.rows import each_row

FAR = (("2.4", "Nothing of it."),) * 5


@each_row(
    ("said", "faults"),
    [
        pytest.param(answer(RIGHT), [], id="right"),
        pytest.param(answer(RIGHT, (*FAR, PROOF)), [], id="cited-but-late-in-the-list"),
        pytest.param(answer(RIGHT, [OTHER]), [], id="cited-but-not-in-the-list"),
        pytest.param(answer(RIGHT, [OTHER], [OTHER]), ["evidence not retrieved"], id="other-release"),
        pytest.param(answer(RIGHT, cited=[]), ["evidence retrieved but not cited"], id="not-cited"),
        pytest.param(answer("TCPStore. [1]"), ["fact missing"], id="half-the-facts"),
        pytest.param(answer(f"{'so ' * 400}{RIGHT}"), ["fact missing"], id="too-late"),
        pytest.param(answer("TCPStore [there](USE_LIBUV=0) [1]"), ["fact missing"], id="in-a-link"),
        pytest.param(answer(f"{RIGHT} Or ＧＬＯＯ."), ["forbidden text"], id="forbidden"),
        pytest.param(answer(f"{RIGHT}用这个就行了，就这么简单呀"), ["wrong language"], id="language"),
        pytest.param(
            answer("No.", abstained=True, cited=[]),
            ["wrongly declined", "evidence retrieved but not cited"],
            id="declined",
        ),
    ],
)
def test_faults_are_named(said: Answer, faults: list[str]) -> None:
    measured = score(gold(), said, 0.5)
    assert list(measured.faults) == faults
    assert measured.right is (set(faults) <= {"wrong language"})


@pytest.mark.parametrize("kind", ["unanswerable", "offtopic"])
@pytest.mark.parametrize("abstained", [True, False])
def test_where_the_notes_do_not_tell_declining_is_right(kind: str, abstained: bool) -> None:
    measured = score(gold(**DECLINE | {"kind": kind}), answer(RIGHT, abstained=abstained), 0.5)
    assert measured.right is abstained
    assert measured.faults == (() if abstained else ("wrongly answered",))
    assert measured.to_dict() == {
        "id": "q-1",
        "kind": kind,
        "lang": "en",
        "seconds": 0.5,
        "declined": abstained,
        "right": abstained,
    }


def test_each_piece_of_evidence_and_each_fact_counts() -> None:
    two = [*ROW["evidence"], {"version": "2.5", "keys": [["nowhere"]]}]
    measured = score(gold(evidence=two), answer("USE_LIBUV=0 [1]", [OTHER, PROOF]), 0.5)
    assert measured.found == (EvidenceRank(2, cited=True), EvidenceRank(None, cited=False))
    assert (measured.recall, measured.reciprocal_rank, measured.cited) == (0.5, 0.5, 1.0)
    assert (measured.facts, measured.missing, measured.late) == (0.5, (("TCPStore",),), ())


def test_evidence_beyond_the_first_five_is_no_recall() -> None:
    measured = score(gold(), answer(RIGHT, (*FAR, PROOF)), 0.5)
    assert (measured.recall, measured.reciprocal_rank) == (0.0, 1 / 6)


@pytest.mark.parametrize(
    ("said", "led"),
    [
        (answer(f"{'so ' * 80}{RIGHT}"), 1.0),
        (answer(f"{'so ' * 120}{RIGHT}"), 0.0),
        (answer("USE_LIBUV=0 [1]"), None),  # not right: TCPStore is missing
    ],
)
def test_a_right_answer_leads_with_the_first_fact_or_not(said: Answer, led: float | None) -> None:
    assert score(gold(), said, 0.5).led == led


def test_a_fact_said_too_late_is_told_apart() -> None:
    measured = score(gold(), answer(f"USE_LIBUV=0 {'so ' * 400}TCPStore [1]"), 0.5)
    assert measured.missing == measured.late == (("TCPStore",),)


def test_texts_are_compared_without_case_space_and_width() -> None:
    spaces = "".join(c for c in map(chr, range(0x3100)) if c.isspace())
    assert fold(f"ＴＣＰ{spaces}Store：２.4") == "tcpstore:2.4"


def assert_same(row: dict[str, Any], said: Answer) -> None:
    """Every figure of ours is the script's."""
    ours = score(parse_question(json.dumps(row), "mine.jsonl:1"), said, 0.5).to_dict()
    ours.pop("lead", None)  # the script does not tell it
    assert ours == scorer().score_one(row, said, 0.5)


def answers_to(row: dict[str, Any]) -> list[Answer]:
    """Answers to a question, from perfect to wrong in each way."""
    groups = [(g["version"], " ".join(key[0] for key in g["keys"])) for g in row["evidence"]] or [PROOF]
    last = [(g["version"], "\n".join(key[-1].upper() for key in g["keys"])) for g in row["evidence"]]
    said = "; ".join(fact[0] for fact in row["facts"])
    elsewhere = [("1.0", text) for _, text in groups]
    return [
        answer(f"{said} [1][2](https://example.org/a)", groups, groups),
        answer(f"{said} [1]", [*FAR[:4], *groups], groups[:1]),
        answer(f"{said} [1]", [*FAR, *last], last),
        answer(said, elsewhere, elsewhere),
        answer("; ".join(fact[-1] for fact in row["facts"][:1]), groups[:1], []),
        answer(f"{'长' * 690}{said}", groups, groups, language="zh"),
        answer(f"{'a' * 1190}{said}", groups, groups),
        answer(f"[{said}]({said}) ({said})", groups, groups),
        answer(f"{said} {' '.join(row.get('forbid', []))}这里有几个汉字", groups, groups),
        answer("", groups, groups),
        answer(said, groups, groups, abstained=True),
    ]


@needs_scorer
def test_every_figure_is_that_of_the_scoring_script_on_its_questions() -> None:
    lines = QUESTIONS.read_text(encoding="utf-8").split("\n")
    for row in map(json.loads, filter(str.strip, lines)):
        for said in answers_to(row):
            assert_same(row, said)


@needs_scorer
@each_row("language", ["zh", "en"])
@each_row(
    "text",
    [
        *(pytest.param(f"中{'a' * latin}", id=f"1-chinese-of-{latin + 1}") for latin in (4, 5, 6, 7)),
        pytest.param("", id="nothing"),
        pytest.param("1.0 [1]", id="no-letters"),
        *(
            pytest.param(f"{'x' * (limit + more - 11)}USE_LIBUV=0 TCPStore", id=f"{limit}{more:+}")
            for limit in (700, 1200)
            for more in (-1, 0, 1)
        ),
        pytest.param(f"[1](https://example.org){'x' * 1180}[2]TCPStore[there](USE_LIBUV=0)", id="marks"),
        pytest.param("USE_LIBUV[1]=0 tcp\u3000ＳＴＯＲＥ", id="marks-and-widths-within"),
        pytest.param("[a](b)(USE_LIBUV=0) [TCPStore]", id="brackets"),
        pytest.param("[١](USE_LIBUV=0) TCPStore (g l o o", id="other-digits"),
    ],
)
def test_every_figure_is_that_of_the_scoring_script_at_the_edges(text: str, language: str) -> None:
    for passages in ([], [PROOF], (*FAR[:4], PROOF), (*FAR, PROOF), [OTHER, ("", PROOF[1])]):
        for cited in ([], [OTHER, PROOF]):
            assert_same(ROW | {"lang": language}, answer(text, passages, cited))


_pieces = st.sampled_from(
    "a b AB ａ 中 文字 㐀 豈 . ( ) [ ] [1] [12](x) [a](b)(ab) ](b) [٣] \u3000 \x1c \u2028 ﬁ İ ß".split(" ")
)  # fmt: skip
_texts = st.lists(_pieces, max_size=12).map("".join)
_keys = _texts.filter(str.strip)
_groups = st.lists(st.lists(_keys, min_size=1, max_size=2), min_size=1, max_size=2)
_releases = st.sampled_from(["2.4", "2.10", "1.2"])
_places = st.lists(st.tuples(_releases | st.just(""), _texts), max_size=7)
_evidence = st.lists(st.fixed_dictionaries({"version": _releases, "keys": _groups}), min_size=1, max_size=3)


@needs_scorer
@settings(deadline=None, max_examples=200)
@given(
    language=st.sampled_from(["zh", "en"]),
    evidence=_evidence,
    facts=_groups,
    forbid=st.lists(_keys, max_size=2),
    text=st.builds(
        lambda text, filler, n: filler * n + text, _texts, st.sampled_from("a中 "), st.integers(0, 1300)
    ),
    passages=_places,
    cited=_places,
    abstained=st.booleans(),
)
def test_every_figure_is_that_of_the_scoring_script_whatever_is_asked_and_said(
    language: str,
    evidence: list[dict[str, Any]],
    facts: list[list[str]],
    forbid: list[str],
    text: str,
    passages: Sequence[tuple[str, str]],
    cited: Sequence[tuple[str, str]],
    abstained: bool,
) -> None:
    row = ROW | {"lang": language, "evidence": evidence, "facts": facts, "forbid": forbid}
    assert_same(row, answer(text, passages, cited, abstained=abstained))
    assert_same(ROW | DECLINE, answer(text, passages, cited, abstained=abstained))
