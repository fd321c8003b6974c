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
    return [lead, *(pick for pick in told if pick is not proof)]


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
        later = first.release > release and feature.steps[0].release > release
        return ("no", first) if later and first.status in _BEGUN else None
    if not asked:
        return ("yes", before[0]) if question.scope.named and not question.statuses else None
    if len(asked) > 1 or len(question.statuses) > 1:
        return None
    place = len(before) - 1
    while place and before[place - 1].status == before[place].status:
        place -= 1
    step = before[place]  # the first one with the status that holds in the release
    became = not _BECAME.search(question.clean) or not question.scope.named or step.release == release
    return ("yes" if step.status == asked[0] and became else "no"), step
