"""Citation marks, [1], as an answer has them, and what documents and language models write like them.

Three patterns, for three meanings: what a reader of an answer takes for a mark; what in a document could be
taken for one, whatever it touches; and what a model may write when it means one. An index of a name
(`x.shape[1]`) is none of them, nor is what stands in code: who calls these leaves code out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

#: A mark of an answer, its number first. It follows white space or another mark, and no link begins with it.
MARK = re.compile(r"(?<![A-Za-z0-9_)`])\[([0-9]{1,4})\](?!\()")
#: A mark of what a language model says and the notes do not confirm (`UNCONFIRMED_MARK`, `ADVICE_MARK`).
UNCONFIRMED = re.compile(r"(?<= )\[(?:\?|advice|建议)\](?=\s|$)|^\[(?:\?|advice|建议)\]$", re.M)
# A dotted name, one with an underscore, or one letter: after a word of prose a number is no index. Each
# character can be read in one way only: a line of underscores is read once.
_INDEXED = (
    r"(?P<name>(?<![A-Za-z0-9_.])(?:[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)+"
    r"|[A-Za-z_](?=[A-Za-z0-9]*_[A-Za-z0-9_])[A-Za-z0-9_]+|[A-Za-z]))?"
)
#: What in a document looks like a mark of ours. Lists of numbers do not, and may be a shape: [2, 3].
LIKE_A_MARK = re.compile(rf"{_INDEXED}\[(?P<numbers>\s*\d+\s*)\]")
#: What a model writes for one or several: [1], [1, 2], [1-3], [^1], 【1】.
CLAIMED_MARK = re.compile(
    rf"{_INDEXED}[\[【［](?P<numbers>\s*(?:[-^]\s*)?\d{{1,4}}(?:\s*[-–~,，、;；]\s*\d{{1,4}})*\s*)[\]】］](?!\()"
)
_RANGE = re.compile(r"(-?\d+)(?:\s*[-–~]\s*(\d+))?")
_LONGEST_RANGE = 50


def replace_marks(pattern: re.Pattern[str], change: Callable[[str], str], prose: str) -> str:
    """Replace each mark of a text by what `change` makes of its numbers; indexes of names stay.

    Args:
        pattern: `LIKE_A_MARK` or `CLAIMED_MARK`.
        change: given what stands between the brackets.
        prose: a text without code.
    """
    return pattern.sub(lambda mark: mark[0] if mark["name"] else change(mark["numbers"]), prose)


def mark_numbers(written: str) -> Iterator[int]:
    """Yield the numbers between the brackets of a mark; "2-4" is all from 2 to 4, "-1" is no passage.

    Args:
        written: text between the brackets, such as "1, 3-5".
    """
    text = written.replace("^", "").strip()
    if text.startswith("-"):
        yield -1
        return
    for match in _RANGE.finditer(text):
        first, last = int(match[1]), int(match[2] or match[1])
        yield from range(first, max(first, min(last, first + _LONGEST_RANGE)) + 1)
