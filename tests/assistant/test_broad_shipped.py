"""Answers to broad questions by the shipped digests: complete, in order, and proved, of every release."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import pytest

from assistant.answering.broad_answer import BroadAnswer, BroadSources
from assistant.answering.broad_answers import broad_answer
from assistant.answering.compose import compose
from assistant.factory import shipped_documents
from assistant.query.question import Question, understand
from assistant.release_diff.upgrade import upgrade
from assistant.retrieval.pick import Pick
from assistant.text.broad_messages import (
    BREAKING_HEAD,
    GAINS_BETWEEN,
    GAINS_HEAD,
    OVERVIEW_HEAD,
    PLATFORM_HEAD,
)
from assistant.text.messages import EFFECTS
from assistant.timeline.model import Histories
from assistant.verification.audit import unfounded
from assistant.verification.evidence import TextMatcher
from corpus.compatibility import load_compatibility
from index.search.retriever import Retriever
from index.storage.generation import Generation
from ingest.document import LANGUAGES, Document, Language
from ingest.release import Release
from ingest.section import parse_sections
from ingest.status import Status, names_status_only
from tests.assistant.rules import check_text
from tests.assistant.upgrades import GLOSSARY, built
from tests.ingest.splitting import segmenter

pytestmark = pytest.mark.long  # all digests are indexed

ASKED: dict[Language, dict[Status, str]] = {
    "en": {
        "stable": "list all stable features in {}",
        "beta": "list all beta features in {}",
        "prototype": "list all prototype features in {}",
        "unstable": "list all unstable features in {}",
        "breaking": "breaking changes in {}",
        "deprecated": "what is deprecated in {}?",
        "regression": "list the known issues in {}",
    },
    "zh": {
        "stable": "{} 的稳定功能有哪些",
        "beta": "列出 {} 的 Beta 功能",
        "prototype": "{} 的原型功能全部列出来",
        "unstable": "{} 有哪些不稳定的功能",
        "breaking": "{} 有哪些不兼容变更",
        "deprecated": "{} 弃用了什么",
        "regression": "{} 有哪些已知问题",
    },
}
#: The most characters of an answer, for a reader and for what broad answers promise.
LONGEST = {"overview": {"en": 1800, "zh": 900}, "upgrade": {"en": 4000, "zh": 3000}}
STATUSES = tuple(ASKED["en"])


@cache
def digests() -> list[Document]:
    return shipped_documents()


@cache
def releases() -> tuple[Release, ...]:
    return tuple(sorted({document.release for document in digests() if document.release}))


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> tuple[Generation, Histories]:
    return built(tmp_path_factory.mktemp("shipped"), digests())


@pytest.fixture(scope="module")
def sources(shipped: tuple[Generation, Histories]) -> BroadSources:
    return BroadSources(Retriever(shipped[0], segmenter()), lambda: shipped[1])


def understood(text: str) -> Question:
    return understand(text, (), known=releases(), glossary=GLOSSARY)


def answered(sources: BroadSources, text: str) -> BroadAnswer:
    answer = broad_answer(understood(text), sources)
    assert answer is not None, text
    return answer


def written(text: str, answer: BroadAnswer) -> str:
    """The answer as text, which keeps the rules of all answers and says nothing that its sources lack."""
    asked = understood(text)
    out, citations = compose(asked, answer.picks, GLOSSARY, opening=answer.opening, closing=answer.closing)
    check_text(out, citations, asked.language)
    matcher = TextMatcher(segmenter().vocabulary, GLOSSARY)
    assert unfounded(out, citations, asked.language, matcher) == {}
    assert len(citations) == sum(len(pick.sentences) for pick in answer.picks), "nothing was left out"
    return out


def headings(document: Document, status: Status) -> list[str]:
    """The ids of the sections of a document that are of one feature or change with a status."""
    sections = parse_sections(document)
    above = {section.headings[:-1] for section in sections}
    return [
        section.id
        for section in sections
        if section.status == status
        and section.headings
        and section.headings not in above
        and not names_status_only(section.heading)
    ]


def ids(picks: Sequence[Pick]) -> list[str]:
    return [pick.passage.chunk.section_id or "" for pick in picks]


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_list_of_a_status_is_whole_and_counted(
    sources: BroadSources, language: Language, status: Status
) -> None:
    for document in digests():
        if document.language != language:
            continue
        expected = headings(document, status)
        question = ASKED[language][status].format(document.version)
        answer = broad_answer(understood(question), sources)
        if not expected:
            assert answer is None, question
            continue
        assert answer is not None, question
        summary = answer.picks[0].passage.chunk.section_id == "status"  # names most of them in a sentence
        assert sorted(ids(answer.picks[summary:])) == sorted(expected), question
        assert not summary or len(expected) > 2, question
        lead = answer.opening or answer.picks[0].above
        assert lead in written(question, answer)
        assert re.findall(r" (\d+) ", lead) == [str(len(expected))], lead


def test_a_list_of_a_name_has_every_section_on_it(sources: BroadSources) -> None:
    answer = answered(sources, "2.6 里跟 AOTInductor 沾边的改动列一下")
    assert sorted(ids(answer.picks)) == [
        "aot-compile",
        "aotinductor-abi",
        "aotinductor-minifier",
        "aotinductor-packaging",
        "cutlass-ck",
    ]
    assert "5" in answer.opening and "AOTInductor" in answer.opening
    answer = answered(sources, "list everything about DTensor in 2.8")
    assert ids(answer.picks) == ["improvements-dtensor", "fixes-distributed"]  # and not ShardedTensor
    assert "DTensor supports the op `torch.cumsum`" in written("list everything in 2.8", answer)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_release_has_an_overview(sources: BroadSources, language: Language) -> None:
    for release in releases():
        question = {"en": f"what is new in {release}?", "zh": f"{release} 有什么新东西"}[language]
        answer = answered(sources, question)
        text = written(question, answer)
        assert len(text) <= LONGEST["overview"][language], question
        assert text.startswith(f"**{OVERVIEW_HEAD[language].format(release=release)}**")
        assert {pick.passage.release for pick in answer.picks} == {release}
        heads = " ".join(pick.above for pick in answer.picks)
        assert GAINS_HEAD[language] in heads or release == releases()[-1]  # which is only announced
        if str(release) in {row.release for row in load_compatibility()}:
            assert PLATFORM_HEAD[language] in heads and "CUDA" in text and "Python" in text


def test_an_overview_counts_what_breaks(sources: BroadSources) -> None:
    text = written("what is new in 2.8?", answered(sources, "what is new in 2.8?"))
    assert f"**{BREAKING_HEAD['en']} (4 of 16)**" in text and "“breaking changes in 2.8”" in text
    assert "all API-Unstable" in text and "Maxwell, Pascal and Volta dropped" in text


def test_the_newest_release_is_meant_where_none_is_named(sources: BroadSources) -> None:
    assert sources.newest is not None
    for question in ("what's new in pytorch?", "最近更新了什么新东西"):
        assert {p.passage.release for p in answered(sources, question).picks} == {sources.newest}
    answer = answered(sources, "我该不该升级")
    assert str(sources.newest) in answer.opening and answer.opening.startswith("问题里没有说")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("older", "newer"), [("1.13", "2.0"), ("2.3", "2.6"), ("2.5", "2.9"), ("2.3", "2.12"), ("2.13", "2.14")]
)
def test_upgrade_advice_is_ordered_and_of_use(
    sources: BroadSources, language: Language, older: str, newer: str
) -> None:
    question = {
        "en": f"should I upgrade from {older} to {newer}?",
        "zh": f"从 {older} 升到 {newer} 要注意什么",
    }[language]
    answer = answered(sources, question)
    text = written(question, answer)
    assert len(text) <= LONGEST["upgrade"][language]
    first, last = Release.parse(older), Release.parse(newer)
    assert all(pick.passage.release and first < pick.passage.release <= last for pick in answer.picks)
    effects = [pick.above for pick in answer.picks if pick.above in EFFECTS[language]]
    assert effects == sorted(effects, key=EFFECTS[language].index) and effects
    assert answer.picks[-1].passage.release == last and "Python" in text.rsplit("**", 4)[1] + text


def test_what_most_must_know_is_on_the_first_screen(sources: BroadSources) -> None:
    text = written("", answered(sources, "what breaks when I go from 2.3 to 2.12?"))
    for told in (
        "Python 3.10 is the minimum",
        "weights_only in torch.load",
        "strict=False",
        "dynamo=True by default",
    ):
        assert told in text
    assert text.index("Python 3.10 is the minimum") < 600
    assert "Python 3.9 is dropped" not in text and "Default ONNX opset is 18" not in text  # gone beyond


@pytest.mark.parametrize(
    "question", ["What breaks when I go from 2.6 to 2.8?", "从 2.6 升级到 2.8 有哪些不兼容变更？"]
)
def test_advice_and_comparison_know_the_same_breaking_changes(
    sources: BroadSources, shipped: tuple[Generation, Histories], question: str
) -> None:
    answer = answered(sources, question)
    breaking = [pick for pick in answer.picks if pick.above in EFFECTS[understood(question).language]]
    items = upgrade(*shipped, Release(2, 6), Release(2, 8)).breaking
    language = understood(question).language
    told = {pick.passage.chunk.section_id for pick in breaking}
    known = {item.told(language).chunk.section_id for item in items}
    assert len(told & known) >= 20
    hidden = re.search(r"(\d+)", answer.closing.split("(")[0].split("（")[0])
    left = int(hidden[1]) if hidden and ("Not shown" in answer.closing or "另有" in answer.closing) else 0
    counted = re.findall(r"(\d+)(?= breaking| 项不兼容)", answer.opening)
    assert counted == [str(len(breaking) + left)]


def test_breaking_changes_are_grouped_and_named_with_what_to_do(sources: BroadSources) -> None:
    answer = answered(sources, "What breaks when I go from 2.6 to 2.9?")
    of = {pick.passage.chunk.section_id: (pick.label, pick.above) for pick in answer.picks}
    assert of["python-310-minimum"] == ("2.9: ", "Platforms and installation")
    assert of["onnx-dynamo-default"] == ("2.9: ", "Changed defaults")
    assert of["lrscheduler-print-lr"] == ("2.7: ", "Python: removed or incompatible")
    text = written("", answer)
    assert "  - Migration: pass `strict=True` explicitly" in text
    assert Counter(ids(answer.picks)).most_common(1)[0][1] == 1  # none twice


def test_what_is_asked_comes_first(sources: BroadSources) -> None:
    gained = answered(sources, "I am on 2.4, what do I gain from 2.9?").picks
    assert gained[0].above.startswith(GAINS_BETWEEN["en"])
    both = answered(sources, "should I upgrade from 2.3 to 2.6, what breaks, what do I gain?").picks
    assert both[0].above == EFFECTS["en"][0]


def test_bounds_are_kept(sources: BroadSources) -> None:
    answer = answered(sources, "after 2.6 but before 2.9, what breaks?")
    assert {str(pick.passage.release) for pick in answer.picks} == {"2.7", "2.8"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_comparison_tells_what_differs(sources: BroadSources, language: Language) -> None:
    question = {"en": "compare 2.5 and 2.6", "zh": "2.5 和 2.6 有什么区别"}[language]
    answer = answered(sources, question)
    text = written(question, answer)
    assert "Prototype" in text and "→" in text  # FP16 became a Beta
    assert ids(answer.picks).count("fp16-x86") <= 1
    platform = [pick for pick in answer.picks if pick.above == PLATFORM_HEAD[language]]
    assert [pick.label for pick in platform] == ["2.5: ", "2.5: ", "2.6: ", "2.6: "]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_release_compares_with_the_next(sources: BroadSources, language: Language) -> None:
    for older, newer in pairwise(releases()[:-1]):  # the last one is only announced
        question = {"en": f"compare {older} and {newer}", "zh": f"{older} 和 {newer} 有什么区别"}[language]
        assert written(question, answered(sources, question))


def test_a_release_that_no_document_is_about_is_not_told(sources: BroadSources) -> None:
    for question in ("compare 2.7 and 2.40", "what is new in 2.40?", "breaking changes in 2.40"):
        assert broad_answer(understood(question), sources) is None
