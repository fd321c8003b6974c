"""Answers to questions about a feature's status, such as "since when?" or "is it still a prototype?".

The steps of the history open the answer, each with the heading that shows its status. Ranking by similarity
would find the most detailed section about the feature instead, of whatever release.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from assistant.query.question import Question
from assistant.query.topic_words import specific_words
from assistant.query.yes_no import is_yes_no
from assistant.retrieval.pick import Pick
from assistant.text.messages import LIFE, LIFE_STEP, LIFE_STEP_UNDATED
from assistant.text.platforms import families, versions
from assistant.timeline.lookup import find
from assistant.timeline.model import FeatureHistory, Histories, TimelineStep, status_words
from corpus.glossary import Glossary
from index.search.retriever import Retriever
from ingest.document import Language
from ingest.status import MATURITIES

_MOST_FEATURES = 2
_MOST_STEPS = 6
_MOST_BESIDE = 2
_STATE = re.compile(
    r"\bmatur|\bstatus\b|\bhistor|\bevol|\bprogress|\bbecome\b|\bchang|\bhow far\b"
    r"|状态|阶段|成熟|走到哪|历史|历程|演进|演变|沿革|进展|变化",
    re.I,
)
#: "Still" asks for a status in a yes/no question alone: who still gets an error asks for none.
_STILL = re.compile(r"\bstill\b|还是|仍", re.I)
_OTHER_INTENTS = ("list", "number", "howto")
#: Words of such questions, as segmented, in addition to those of questions for a list.
_ASKING = frozenset(
    "sinc first appear introduc add ship land debut start begin support work come came becom turn up "
    "out still yet now today matur histori evolv evolut progress life far differ compar between "
    "experiment avail exist promot offer 加入 加进 加进来 进来 加上 新加 新增 添加 增加 引入 引进 出现 "
    "出来 推出 上线 发布 提供 开始 支持 最早 首次 第一次 最初 何时 走到 一步 哪一步 一版 版起 一版起 "
    "成熟度 成熟 历史 历程 演进 演变 沿革 进展 如今 还是 仍然 仍是 已经 变成 成为 转为 转正 不同 区别 "
    "可以 可用 能用 正式 接口 实验".split()
)


def life(
    question: Question,
    retriever: Retriever,
    glossary: Glossary,
    features: Callable[[], Histories],
    *,
    strict: bool = False,
) -> tuple[list[Pick], list[FeatureHistory]]:
    """Return a pick for each step of the features whose status a question asks for, and these features.

    Args:
        question: the parsed question.
        retriever: retriever of the index that the histories are built from.
        glossary: glossary with the names of features.
        features: returns the histories; called only if they are needed.
        strict: only steps of the question's releases.

    Returns:
        The picks and the features; none if the question does not ask for a status, or asks for something else
        as well.
    """
    matures = question.intent == "since" or {*MATURITIES} & {*question.statuses}
    yes_no = is_yes_no(question.clean)
    lasts = yes_no and _STILL.search(question.clean)
    moves = question.intent != "breaking" and (_STATE.search(question.clean) or lasts)
    exists = len(question.scope.named) == 1 and yes_no and not families(question.clean)
    if not (matures or moves or exists) or question.intent in _OTHER_INTENTS:
        return [], []
    carried = " ".join(term.en for term in question.terms)
    found = find(question.clean, features(), glossary) or find(carried, features(), glossary)
    if not 0 < len(found) <= _MOST_FEATURES:
        return [], []
    names = [name for term in question.terms for name in term.names] + families(question.clean)
    names += [name for feature in found for name in (*feature.names.values(), *feature.titles)]
    if set(specific_words(question.clean, retriever.segmenter, names)) - _ASKING:
        return [], []
    picks = [_pick(f, s, question.language, retriever) for f in found for s in _steps(question, f, strict)]
    return [pick for pick in picks if pick], found


def beside(question: Question, picks: Sequence[Pick]) -> list[Pick]:
    """Return the few usual picks that may follow the steps: those about the same feature.

    Args:
        question: the parsed question.
        picks: usual picks, best first.
    """
    names = [name.casefold() for term in question.terms for name in term.names] + families(question.clean)
    texts = [f"{' '.join(pick.passage.chunk.headings)} {pick.passage.text}".casefold() for pick in picks]
    about = [pick for pick, text in zip(picks, texts, strict=True) if any(name in text for name in names)]
    return about[:_MOST_BESIDE]


def _steps(question: Question, feature: FeatureHistory, strict: bool) -> Sequence[TimelineStep]:
    """Return the steps that a question asks for: those of its releases, or of the Python version it names."""
    steps = feature.life if question.intent == "since" else feature.steps
    scope = question.releases
    if strict:
        steps = tuple(step for step in steps if step.release in scope)
    elif len(scope) > 1:
        steps = tuple(step for step in steps if min(scope) <= step.release <= max(scope)) or steps
    for _, number in versions(question.clean):
        exact = tuple(s for s in steps if any(number in source.chunk.headings[-1] for source in s.sources))
        steps = exact or steps
    if len(steps) > _MOST_STEPS:
        kept = [step for step in steps if step in feature.life][:_MOST_STEPS]
        rest = [step for step in steps if step not in kept]
        room = _MOST_STEPS - len(kept)
        steps = tuple(step for step in steps if step in kept or step in rest[len(rest) - room :])
    return steps


def _pick(
    feature: FeatureHistory, step: TimelineStep, language: Language, retriever: Retriever
) -> Pick | None:
    source = step.told(language)[0]
    sections = retriever.sections(step.release, [step.status])
    passage = next((passage for passage in sections if passage.chunk.id == source.chunk.id), None)
    heading = next((s for s in passage.sentences if s.span == source.heading), None) if passage else None
    if passage is None or heading is None:
        return None
    above = LIFE[language].format(name=feature.names[language], latest=retriever.releases[-1])
    return Pick(passage, (heading,), above=above, label=label(step, language))


def label(step: TimelineStep, language: Language) -> str:
    """Describe release, date and status of a step.

    Args:
        step: the step.
        language: language of the label.
    """
    pattern = (LIFE_STEP if step.date else LIFE_STEP_UNDATED)[language]
    return pattern.format(release=step.release, date=step.date, status=status_words(step, language))
