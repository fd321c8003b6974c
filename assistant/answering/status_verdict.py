"""Verdicts that the history of a feature decides: whether it is there in a release, or has a status there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.answering.verdict import Polarity, verdict_word
from assistant.query.question import Question
from assistant.query.yes_no import is_yes_no
from assistant.retrieval.pick import Lead, Pick
from assistant.text.messages import STATUS_NAMES, VERDICT_SINCE
from assistant.text.platforms import families
from assistant.timeline.model import FeatureHistory, TimelineStep
from assistant.verification.negation import negated
from ingest.release import Release
from ingest.status import MATURITIES

_BECAME = re.compile(
    r"\bbec[ao]me\b|\bpromot|\bgraduat|\bmove[ds]? to\b|转正|升[为到级]|变成|成为|转为", re.I
)
#: Asks whether a feature is there, and says nothing of how it is there.
_EXISTS = re.compile(
    r"\b(?:in|have|has|there|available|supports?|supported|exists?|includ\w+|ships?|shipped|added|introduced)\b"
    r"|有|支持|能用|可用|可以用|加入|提供|自带|引入",
    re.I,
)
_QUALIFIED = re.compile(
    r"experiment|matur|promot|graduat|production|official|still|complete|fully|enabled|default|already|\bga\b"
    r"|正式|转正|成熟|实验|稳定|仍|还|默认|完整|全部|生产|已经",
    re.I,
)
_ENDED = ("deprecated", "breaking")
_BEGUN = ("prototype", "beta", "unstable", "new")  # statuses of a feature that was not there before


def with_status_verdict(
    question: Question, told: Sequence[Pick], found: Sequence[FeatureHistory], newest: Release
) -> list[Pick]:
    """Let the history of a feature begin with the verdict on a yes/no question that it decides.

    Args:
        question: parsed question.
        told: picks of the history.
        found: the features that the question names.
        newest: latest release of the notes, which a question that names none is about.
    """
    plain = is_yes_no(question.clean) and not negated(question.clean) and not families(question.clean)
    if not plain or len(found) != 1 or len(question.scope.named) > 1:
        return list(told)
    verdict = _decided(question, found[0], next(iter(question.scope.named), newest))
    if verdict is None:
        return list(told)
    polarity, step = verdict
    chunks = {source.chunk.id for source in step.sources}
    proof = next((pick for pick in told if pick.passage.chunk.id in chunks), None)
    if proof is None:
        return list(told)
    language = question.language
    status = STATUS_NAMES[language][step.status] if step.status in MATURITIES else ""
    words = VERDICT_SINCE[language][bool(status)].format(
        verdict=verdict_word(question, polarity), release=step.release, status=status
    )
    lead = replace(proof, lead=Lead(words, proof.sentences[0]))
    whole = {source.chunk.id for each in found[0].steps if each.whole for source in each.sources}
    return [lead, *(pick for pick in told if pick is not proof and pick.passage.chunk.id in whole)]


def _decided(
    question: Question, feature: FeatureHistory, release: Release
) -> tuple[Polarity, TimelineStep] | None:
    """Return the verdict and the step that proves it, or None if the history does not decide."""
    whole = [step for step in feature.steps if step.whole]
    if not whole or any(step.status in _ENDED and step.release <= release for step in feature.steps):
        return None
    asked = [status for status in question.statuses if status in MATURITIES]
    before = [step for step in whole if step.release <= release and step.status in MATURITIES]
    if not before:
        first = whole[0]
        plain = asked or (_EXISTS.search(question.clean) and not _QUALIFIED.search(question.clean))
        later = plain and first.release > release and feature.steps[0].release > release
        return ("no", first) if later and first.status in _BEGUN else None
    if not asked:
        plain = _EXISTS.search(question.clean) and not _QUALIFIED.search(question.clean)
        return ("yes", before[0]) if plain and question.scope.named and not question.statuses else None
    if len(asked) > 1 or len(question.statuses) > 1:
        return None
    place = len(before) - 1
    while place and before[place - 1].status == before[place].status:
        place -= 1
    step = before[place]  # the first one with the status that holds in the release
    if step.status != asked[0]:
        return "no", step
    if not question.scope.named:
        return None  # of today: that no later note speaks of it does not say that it is still so
    return ("no" if _BECAME.search(question.clean) and step.release != release else "yes"), step
