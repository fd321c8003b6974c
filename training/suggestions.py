"""Choose the questions that answers suggest to ask next (`make suggestions`).

Of the questions that were written for the digests, few read well by themselves: one sentence that names
what it is about, in plain words, and speaks neither of its asker nor of anything said before. Up to three
of them for each section and language are written to assistant/answering/suggestions.json, with the keys of
the sentences that answer them.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence

from assistant.answering.suggestions import MODEL, SuggestedQuestion
from assistant.query.yes_no import is_yes_no
from assistant.text.identifiers import CAMEL, JOINED
from ingest.document import LANGUAGES, Language
from training.questions import answer_keys
from training.rows import Row, is_answered, read_rows

_MOST = 3  # of a section and language
_STYLES = ("direct", "version", "hardware", "broad", "job", "")  # best first; "" is that of yes/no questions
_LENGTHS: Mapping[Language, tuple[int, int]] = {"en": (28, 96), "zh": (10, 44)}
#: Words of one who speaks of himself or of what was said before, and of no plain speech.
_UNFIT: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"(?<!do )(?<!can )(?<!should )\bi\b|\b(?:i'm|im|i've|my|me|we|our|us|that"
        r"|this|these|those|it|its|they|them|their|here|there|he|she|boss|colleague|thx|pls|please|btw|wanna|gonna|dont|doesnt|cant|u|ur|ok"
        r"|hey|so|and|but)\b|[;:!—…]|\.\s|\?.",
        re.I,
    ),
    "zh": re.compile(
        r"我|咱|你|它|他|这|那|老板|同事|领导|客户|咋|啥|么(?!些)|嘛|吧|呢|给|报|没[?？]?$|不[?？]?$"
        r"|[;；:：!！。…~\n]|[?？]."
    ),
}
_SUMMARIES = ("/overview", "/status")
_WH = re.compile(r"(?:which|what|how|when|since when|why|where|who)\b", re.I)
_ASKS_ZH = re.compile(r"什么|哪|怎么|怎样|如何|为什么|多少|几|谁|是否|能否")
_NAME = re.compile(rf"`[^`]+`|{JOINED}|{CAMEL}|[A-Za-z]+\d|\b[A-Z]{{2,}}", re.ASCII)


def main() -> int:
    """Choose and write."""
    chosen = suggested(read_rows())
    rows = {
        section: {
            language: [[question.text, list(question.answers)] for question in questions]
            for language, questions in by_language.items()
        }
        for section, by_language in chosen.items()
    }
    lines = (f"{json.dumps(section)}: {json.dumps(row, ensure_ascii=False)}" for section, row in rows.items())
    MODEL.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    for language in LANGUAGES:
        held = [by_language[language] for by_language in chosen.values() if by_language.get(language)]
        sys.stdout.write(f"{language}: {sum(map(len, held))} questions for {len(held)} sections\n")
    sys.stdout.write(f"{MODEL.stat().st_size / 1000:.0f} KB\n")
    return 0


def suggested(rows: Iterable[Row]) -> dict[str, dict[Language, list[SuggestedQuestion]]]:
    """Return the questions to suggest, by section and language.

    Args:
        rows: of the training data.
    """
    of: dict[str, dict[Language, list[Row]]] = {}
    for row in rows:
        if is_answered(row) and not row.history and len(row.sections) == 1 and reads_well(row):
            language: Language = "zh" if row.language == "zh" else "en"
            of.setdefault(row.sections[0], {}).setdefault(language, []).append(row)
    return {
        section: {
            language: [
                SuggestedQuestion(written(row.text, language), tuple(answer_keys(row, section)))
                for row in _distinct(sorted(some, key=_rank))
            ]
            for language, some in sorted(by_language.items())
        }
        for section, by_language in sorted(of.items())
    }


def reads_well(row: Row) -> bool:
    """Check whether a question is one plain sentence that names what it is about.

    Args:
        row: an answered question.
    """
    if row.language not in LANGUAGES or row.style not in _STYLES:
        return False
    if row.polarity and row.sections[0].endswith(_SUMMARIES):
        return False  # "is it one of three betas?" is asked by nobody
    language: Language = "zh" if row.language == "zh" else "en"
    least, most = _LENGTHS[language]
    text = row.text.strip()
    asks = _WH.match(text) if language == "en" else _ASKS_ZH.search(text)
    well_formed = bool(asks) or is_yes_no(text)
    named = _NAME.search(text.removeprefix("PyTorch"))
    return bool(least <= len(text) <= most and well_formed and named and not _UNFIT[language].search(text))


def written(text: str, language: Language) -> str:
    """Return a question with a capital and a question mark.

    Args:
        text: question.
        language: of it.
    """
    text = text.strip().rstrip("?？ ")
    if language == "en" and re.match(r"[a-z]+\s", text):
        text = text[0].upper() + text[1:]
    return f"{text}{'？' if language == 'zh' else '?'}"


def _rank(row: Row) -> tuple[object, ...]:
    """Order questions: those that were typed with a question mark first, then by style and length.

    Who asks whether something is so that is not has been told wrong: these come last.
    """
    marked = row.text.rstrip().endswith(("?", "？"))
    return row.polarity == "no", not marked, _STYLES.index(row.style), len(row.text), row.id


def _distinct(rows: Sequence[Row]) -> list[Row]:
    """Return the first questions that are answered by different sentences."""
    kept: list[Row] = []
    for row in rows:
        if len(kept) < _MOST and all(row.answers[0][0] != other.answers[0][0] for other in kept):
            kept.append(row)
    return kept


if __name__ == "__main__":
    raise SystemExit(main())
