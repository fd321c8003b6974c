"""Detection of teasers for other articles at the end of a scraped page.

Two signs are combined. A line that only announces such a list ("Related articles:") starts it; teasers (text
cut off with an ellipsis) and prose without the article's vocabulary continue it. Prose in the article's own
vocabulary ends it, so that a marker in the middle of a text does not remove the text below.
"""

from __future__ import annotations

import re

_MARKER = re.compile(
    r"(?P<level>#{0,6})\s*[*_]*(?:相关(?:文章|阅读|推荐|内容|博文|资讯)|推荐(?:阅读|文章)|猜你喜欢"
    r"|更多(?:文章|阅读)|延伸阅读|热门文章|最新文章"
    r"|related (?:articles?|posts?|reading|stories)|recommended (?:articles?|posts?|reading|for you)"
    r"|you (?:may|might) also like|more (?:posts|articles|stories)|read next|recent posts)"
    r"[*_]*\s*[:：]?[*_]*",
    re.I,
)
_ELLIPSIS = re.compile(r"(?:…|\.{3})[.…\s]*$")
_TEASER_LENGTH = 28  # characters; shorter lines with an ellipsis are code or speech
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}|[\u4e00-\u9fff]{2,}")
_TITLE = 100  # characters; a longer line without an ellipsis is prose
_ENTRY_LINES = 5  # maximum lines of a teaser with its title
_TEASERS = 3  # so many at the end are a list even without a marker
_OWN_SHARE = 0.5  # prose with at least this share of the article's terms belongs to it
_TERMS = 5  # with fewer terms a line is not classified


def unrelated_tail(lines: list[str], in_code: list[bool]) -> range:
    """Return the line numbers of the unrelated tail, an empty range if there is none.

    Args:
        lines: lines of the text.
        in_code: for each line, whether it is in a code fence.
    """
    first = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    for number in range(first + 1, len(lines)):
        match = None if in_code[number] else _MARKER.fullmatch(lines[number].strip())
        if match:
            stop = _section_end(lines, in_code, number, len(match["level"]))
            end = _end_of_list(lines, in_code, number, stop)
            if end > number + 1:
                return range(number, end)
    return _unmarked(lines, in_code)


def _section_end(lines: list[str], in_code: list[bool], marker: int, level: int) -> int:
    """Return the line of the heading that ends a marker's section: of its level or above, or any."""
    for number in range(marker + 1, len(lines)):
        match = re.match(r"(#{1,6})\s", lines[number])
        if match and not in_code[number] and (not level or len(match[1]) <= level):
            return number
    return len(lines)


def _end_of_list(lines: list[str], in_code: list[bool], marker: int, stop: int) -> int:
    """Return the line after the last one that belongs to the list below the marker."""
    own = _terms(lines[:marker])
    end = number = marker + 1
    teasers = {n for n in range(marker + 1, stop) if _is_teaser(lines[n], in_code[n])}
    while number < stop:
        following = next((n for n in range(number, min(number + _ENTRY_LINES, stop)) if n in teasers), number)
        entry = (n for n in range(number, following + 1) if n not in teasers)
        if any(in_code[n] or _on_subject(lines[n], own) for n in entry):
            break
        end = number = following + 1
    # Titles directly above kept prose may be its headings; blank lines before kept text are kept as well.
    while marker + 1 < end < len(lines) and end - 1 not in teasers:
        if lines[end - 1].strip() and (number >= stop or _is_prose(lines[end - 1])):
            break
        end -= 1
    return end


def _unmarked(lines: list[str], in_code: list[bool]) -> range:
    """Return teasers at the end of the text without a marker above them."""
    teasers = [n for n, line in enumerate(lines) if _is_teaser(line, in_code[n])]
    start = end = len(lines)
    while teasers and start - teasers[-1] <= _ENTRY_LINES:
        between = range(teasers[-1] + 1, start)
        if any(in_code[n] or not _is_title(lines[n]) for n in between):
            break
        start = teasers.pop()
    found = [n for n in range(start, end) if _is_teaser(lines[n], in_code[n])]
    above = lines[start - 1] if start else ""
    if above.strip() and _is_title(above) and not _is_prose(above):
        start -= 1
    own = _terms(lines[:start])
    foreign = [n for n in found if not _shares_terms(lines[n], own)]
    return range(start, end) if len(foreign) >= _TEASERS and 2 * len(foreign) > len(found) else range(0)


def _is_teaser(line: str, in_code: bool) -> bool:
    text = line.strip()
    return not in_code and len(text) >= _TEASER_LENGTH and bool(_ELLIPSIS.search(text[-20:]))


def _is_prose(line: str) -> bool:
    text = line.strip()
    return len(text) > _TITLE or bool(re.search(r"[。！？；]|[.!?;](?:\s|$)", text))


def _is_title(line: str) -> bool:
    """Return whether a line may be the title of a teaser, which can be a question."""
    return len(line.strip()) <= _TITLE and "。" not in line


def _on_subject(line: str, own: set[str]) -> bool:
    return _is_prose(line) and _shares_terms(line, own)


def _shares_terms(line: str, own: set[str]) -> bool:
    terms = _terms([line])
    return len(terms) >= _TERMS and len(terms & own) >= _OWN_SHARE * len(terms)


def _terms(lines: list[str]) -> set[str]:
    """Return Latin words and identifiers in lower case, and bigrams of Chinese characters."""
    terms: set[str] = set()
    for line in lines:
        for match in _WORD.finditer(line):
            word = match[0]
            if word[0] >= "\u4e00":
                terms.update(word[i : i + 2] for i in range(len(word) - 1))
            else:
                terms.add(word.lower())
    return terms
