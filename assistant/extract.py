"""Extraction: which sentences of the passages answer a question.

A sentence is scored by the nearness of its vector, by how much of the question's words it holds (weighted
by how telling they are), by its passage, and by whether it has the form asked for: a figure, a name, code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.question import Intent, Question
from index.passage import Passage, ScoredSentence
from ingest.document import Language
from ingest.markup import reading_text

#: Length of an answer's quotes in characters, white space not counted.
BUDGET: Mapping[Language, int] = {"zh": 380, "en": 820}
_CROSS_LANGUAGE_BUDGET = 380
MAX_PASSAGES = 4
_MAX_SENTENCES = 4  # of one passage
_MAX_OF_BEST = 6  # of the passage with the best sentence
_MAX_TOTAL = 8
_LONG_CODE = 420  # characters; longer code stays in the source
_LABEL = 40  # characters
_KEEP = 0.55  # of the best sentence's score
_NEAR = 0.5
_HELD = 1.2
_PRIOR = 0.6
_POINTER_PENALTY = 1.0
_ROW_PENALTY = 0.3
_MOST_ITEMS = 6  # of a list that a chosen sentence leads in
_ITEMS_LENGTH = 500  # characters
_SUMMARIES = ("overview", "status")  # section ids of a digest
_FIGURE = re.compile(r"(?<![\w.#])\d+(?:[.,]\d+)*\s*(?:%|x\b|×|倍|[A-Za-z]+)?")
_NAME = re.compile(r"`[^`]+`|\b\w+(?:[._]\w+)+\b|\b[A-Z][A-Z0-9_]{3,}\b|--\w+")
_POINT = re.compile(r"\d+(?:\.\d+)*|(?<=`)[^`\n]+(?=`)|\w+(?:[._]\w+)+|\b[A-Z][A-Z0-9_]{2,}\b", re.ASCII)
_PARAPHRASE = 0.97  # cosine
_POINTER = re.compile(
    r"https?://|\b(?:learn more|more (?:information|details)|for details|find (?:out )?more|see (?:the|our|this|a)\b|check out|click here"
    r"|(?:please )?refer to|sincerely thank|we(?: are|'re) excited|as always|we encourage|encourage you|full list of)"
    r"|\b(?:the|this) (?:example|code|snippet|sketch)\b|\bis an? (?:stable|beta|prototype|unstable) feature\b"
    r"|^示例|(?:下面|以下|上面)的?(?:示例|代码|例子)|是.{0,8}(?:Beta|Prototype|Stable|测试版|原型|稳定版).{0,4}(?:功能|特性)"
    r"|了解更多|更多(?:信息|详细|细节|内容|有关)|请?(?:参阅|参见|查看|点击|访问|查阅)[^，。]{0,30}(?:教程|文档|博客|页面|此处|这里|链接|指南)|单击此处"
    r"|衷心感谢|真诚地?感谢|很?高兴地?宣布|一如既往|鼓励您",
    re.I,
)
_ADVICE = re.compile(
    r"\b(?:please|instead|use|should|must|recommend\w*|migrat\w*|replac\w*|add|set|require\w*|need)\b"
    r"|请|改用|替代|替换|迁移|使用|应该?|必须|需要|建议|设置|启用",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Pick:
    """The sentences chosen of one passage, in the order of the document.

    Attributes:
        score: of the best of them, comparable within one answer.
        above: the line above them, "" for the release, status and heading of the passage.
        label: our words before the first of them.
    """

    passage: Passage
    sentences: tuple[ScoredSentence, ...]
    score: float = 0.0
    above: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Relevance:
    """What a question's words count: terms with weights, and how telling a term is in the corpus.

    Attributes:
        nearness: cosine of the vectors of two sentences, given by their rows.
    """

    terms: Mapping[str, float]
    idf: Callable[[str], float]
    segment: Callable[[str], Sequence[str]]
    nearness: Callable[[int, int], float] = lambda _one, _other: 0.0

    def coverage(self, text: str) -> float:
        """Share of the question's weight that a text holds, 0 to 1."""
        total = sum(weight * self.idf(term) for term, weight in self.terms.items())
        held = set(self.segment(text))
        return sum(w * self.idf(t) for t, w in self.terms.items() if t in held) / total if total else 0.0


def choose(question: Question, passages: Sequence[Passage], relevance: Relevance) -> list[Pick]:
    """Pick the sentences that answer, the best passages first, within the length of a readable answer."""
    if not passages:
        return []
    scored = _scored(question, passages[:MAX_PASSAGES], relevance)
    if not scored:
        return []
    best = max(score for score, _, _ in scored)
    scored.sort(key=lambda row: -row[0])
    room = float(BUDGET[question.language])
    chosen: dict[int, list[ScoredSentence]] = {}
    scores: dict[int, float] = {}
    seen: list[set[str]] = []
    for score, number, sentence in scored:
        passage = passages[number]
        text = _text(passage, sentence)
        length = shown_length(text)
        if passage.language != question.language:
            length = int(length * BUDGET[question.language] / _CROSS_LANGUAGE_BUDGET)
        most = _MAX_OF_BEST if number == scored[0][1] else _MAX_SENTENCES
        full = sum(map(len, chosen.values())) >= _MAX_TOTAL or len(chosen.get(number, ())) >= most
        if score < _KEEP * best or full or (chosen and length > room):
            continue
        words = set(relevance.segment(text))
        if any(_same(words, other) for other in seen) or _repeats(
            passages, chosen, number, sentence, relevance
        ):
            continue
        chosen.setdefault(number, []).append(sentence)
        scores.setdefault(number, score)
        seen.append(words)
        room -= length
    for number in list(chosen):
        chosen[number] = _completed(question.intent, passages[number], chosen[number])
    return [
        Pick(passages[n], tuple(sorted(chosen[n], key=lambda s: s.span.start)), scores[n])
        for n in sorted(chosen)
    ]


def best_first(intent: Intent, picks: Sequence[Pick]) -> list[Pick]:
    """The pick with the best sentence first; a comparison and a history keep the order of their releases."""
    if intent in ("compare", "since", "definition"):
        return list(picks)
    return sorted(picks, key=lambda pick: -pick.score)


def distinct(picks: Sequence[Pick]) -> list[Pick]:
    """The picks without quotes that an earlier one has: two versions of a passage may lead to one."""
    seen: set[str] = set()
    out: list[Pick] = []
    for pick in picks:
        fresh = []
        for sentence in pick.sentences:
            words = re.sub(r"\W+", "", _text(pick.passage, sentence)).casefold()
            if words not in seen:
                seen.add(words)
                fresh.append(sentence)
        if fresh:
            out.append(replace(pick, sentences=tuple(fresh)))
    return out


def without_summaries(picks: Sequence[Pick]) -> list[Pick]:
    """The picks without those that only sum up a release of which a better section proper was picked."""
    told: set[str] = set()
    out: list[Pick] = []
    for pick in picks:
        summary = pick.passage.chunk.section_id in _SUMMARIES
        if not (summary and pick.passage.version in told):
            out.append(pick)
        if not summary:
            told.add(pick.passage.version)
    return out


def _scored(
    question: Question, passages: Sequence[Passage], relevance: Relevance
) -> list[tuple[float, int, ScoredSentence]]:
    rows = [
        (number, sentence)
        for number, passage in enumerate(passages)
        for sentence in passage.sentences
        if sentence.span.kind in ("prose", "item", "row") and shown_length(_text(passage, sentence)) > 7
    ]
    if not rows:
        rows = [(n, s) for n, p in enumerate(passages) for s in p.sentences if s.span.kind == "heading"]
    if not rows:
        return []
    cosines = [sentence.cosine for _, sentence in rows]
    floor, top = sum(cosines) / len(cosines), max(cosines)
    spread = max(top - floor, 0.01)
    out = []
    for number, sentence in rows:
        passage = passages[number]
        text = _text(passage, sentence)
        near = max(0.0, (sentence.cosine - floor) / spread)
        held = relevance.coverage(text)
        prior = passage.score / passages[0].score
        row = _ROW_PENALTY if sentence.span.kind == "row" and question.intent != "number" else 0.0
        pointer = _POINTER_PENALTY if points_elsewhere(text) else 0.0
        score = _NEAR * near + _HELD * held + _PRIOR * prior + _form(question.intent, text) - pointer - row
        out.append((score, number, sentence))
    return out


def _form(intent: Intent, text: str) -> float:
    """Whether a sentence has the form that the question asks for."""
    match intent:
        case "number":
            return 0.3 if _FIGURE.search(text) else 0.0
        case "howto":
            return 0.25 * bool(_NAME.search(text)) + 0.1 * bool(_ADVICE.search(text))
        case "breaking" | "deprecation":
            return 0.15 * bool(_NAME.search(text)) + 0.2 * bool(_ADVICE.search(text))
        case "list":
            return 0.1 * bool(_NAME.search(text))
        case _:
            return 0.0


def _completed(intent: Intent, passage: Passage, chosen: list[ScoredSentence]) -> list[ScoredSentence]:
    """Add what a chosen sentence cannot stand without: the list it leads in, the short code after it."""
    every = list(passage.sentences)
    out = dict.fromkeys(chosen)
    for sentence in chosen:
        following = every[every.index(sentence) + 1 :]
        announces = _text(passage, sentence).rstrip("*_ ").endswith((":", "："))
        if announces or (sentence.span.kind == "prose" and following and following[0].span.kind == "item"):
            items = _items(passage, following)
            out.update(dict.fromkeys(items))
            if announces and not items and len(out) > 1:
                del out[sentence]  # it leads in what is too long to show
    if intent in ("howto", "breaking", "deprecation"):
        last = max(every.index(sentence) for sentence in out)
        out.update(dict.fromkeys(_code(passage, every[last + 1 :])))
    return list(out)


def _items(passage: Passage, following: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """The list right after a sentence, as long as it is short."""
    items: list[ScoredSentence] = []
    for sentence in following:
        if sentence.span.kind not in ("item", "code") or (items and items[-1].span.kind == "code"):
            break
        items.append(sentence)
    short = len(items) <= _MOST_ITEMS and sum(len(_text(passage, s)) for s in items) <= _ITEMS_LENGTH
    return items if short else []


def _code(passage: Passage, following: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """The code after a sentence with the labels between ("Version 2.8"), as long as it is short."""
    found: list[ScoredSentence] = []
    for sentence in following:
        text = _text(passage, sentence)
        found.append(sentence)
        if sentence.span.kind == "code":
            return found if len(text) <= _LONG_CODE else []
        if sentence.span.kind != "prose" or len(text) >= _LABEL:
            break
    return []


def points_elsewhere(text: str) -> bool:
    """Whether a sentence only leads to something else: a link, an example, thanks."""
    return bool(_POINTER.search(reading_text(text)))


def shown_length(text: str) -> int:
    """Characters of a text as shown, white space not counted."""
    return len(re.sub(r"\s+", "", reading_text(text)))


def _text(passage: Passage, sentence: ScoredSentence) -> str:
    return passage.document.text[sentence.span.start : sentence.span.end]


def _repeats(
    passages: Sequence[Passage],
    chosen: Mapping[int, Sequence[ScoredSentence]],
    number: int,
    sentence: ScoredSentence,
    relevance: Relevance,
) -> bool:
    """Whether a sentence is the paraphrase of one chosen from another document on the same release."""
    told = [
        (place, other)
        for place, others in chosen.items()
        for other in others
        if passages[place].release == passages[number].release
    ]
    near = any(
        place != number and relevance.nearness(sentence.row, other.row) > _PARAPHRASE for place, other in told
    )
    known = {point for place, other in told for point in _points(_text(passages[place], other))}
    return near and _points(_text(passages[number], sentence)) <= known


def _points(text: str) -> set[str]:
    """The figures and names of a text: a paraphrase that adds none says nothing new."""
    return {m[0].casefold() for m in _POINT.finditer(reading_text(text))}


def _same(left: set[str], right: set[str]) -> bool:
    """Whether two sentences say the same in the same words (Jaccard)."""
    return len(left & right) > 0.7 * len(left | right)
