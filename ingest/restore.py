"""Restoration of Markdown structure that a text lost when it was copied from a page.

Only for texts without a single Markdown heading. Marks are added and words never changed: bullets become list
items, lines that look like headings get `#`, and runs of Python code get a fence.
"""

from __future__ import annotations

import ast
import re
import warnings

from ingest.cleaning import code_lines
from ingest.language import HAN
from ingest.status import without_opening_status

_HEADING = re.compile(r" {0,3}#{1,6}\s|\*\*[^*]{2,80}\*\*\s*$")
_BULLET = re.compile(r"^[ \t]*[•·●▪◦‣]\s+")
#: Section names as pages have them when copied, wider than ingest.status: "2.1 的测试版新功能".
_SECTION = re.compile(
    r"(?:.{0,20}(?:新特性|新功能|新增功能)"
    r"|(?:稳定|测试|原型|实验|公测|beta|stable|prototype)[^,，。]{0,6}(?:功能|特性|features?)"
    r"|性能(?:改进|优化|提升)|不兼容变更|弃用|错误修复|改进|performance (?:improvements?|optimizations?)"
    r"|new features|improvements|bug fixes|deprecations|backwards? incompatible changes|highlights)",
    re.I,
)
_CODE = re.compile(
    r"\s*(?:import [\w.]+|from [\w.]+ import \S|@\w|(?:async )?def \w+\(|class \w+.*:$"
    r"|(?:with|for|while|if|elif) .+:$|(?:else|try|finally):$|except\b.*:$|return\b|assert |raise "
    r"|[\w.]+(?:\[[^\]]*\])*(?:, ?[\w.]+)* ?[-+*/@]?= ?\S"
    r"|[A-Za-z_][\w.]*\(.*\)\s*(?:#.*)?$)"
)
_HAN = re.compile(f"[{HAN}]")
_SENTENCE_END = re.compile(r"[。！？；.!?;：:…,，、]$")
_CLAUSE = re.compile(r"[,，、。；;：！？!?]|: ")
_LIST_OR_TABLE = re.compile(r"\s|[-*+|>#<!`]|\d+[.)、]|https?://")
_HEADING_LENGTH = 40
_TITLE_LENGTH = 120
_CODE_LENGTH = 400
_RUN_LENGTH = 60  # lines
_MAX_FAILURES = 100  # after so many lines that only look like Python, stop trying


def restore_structure(text: str) -> str:
    """Add headings, list marks and code fences to a text without headings, else return it unchanged.

    A heading is a line with a status tag (`[Beta] ...`), or a short line without sentence punctuation that is
    followed by prose. The first line is the title unless it is a sentence. Section names common in release
    notes (性能改进, New Features) are one level above other headings.

    Args:
        text: a plain text or Markdown text.
    """
    lines = text.split("\n")
    in_code = code_lines(lines)
    if any(_HEADING.match(line) and not code for line, code in zip(lines, in_code, strict=True)):
        return text
    lines = [line if code else _BULLET.sub("* ", line) for line, code in zip(lines, in_code, strict=True)]
    if not any(in_code):
        lines = _fence_python(lines)
    return "\n".join(_mark_headings(lines, code_lines(lines)))


def _mark_headings(lines: list[str], in_code: list[bool]) -> list[str]:
    marked: list[str] = []
    title_at = _title(lines, in_code)
    section_seen = False
    for number, line in enumerate(lines):
        mark = ""
        if number == title_at:
            mark = "# "
        elif in_code[number]:
            mark = ""
        elif _is_tagged(line.strip()):
            mark = "### "
        elif _SECTION.fullmatch(line.strip()):
            mark, section_seen = "## ", True
        elif _is_heading(lines, in_code, number):
            mark = "### " if section_seen else "## "
        marked.append(mark + line.strip() if mark else line)
    return marked


def _is_tagged(line: str) -> bool:
    """Whether a line is a heading with a status in brackets before it."""
    rest = without_opening_status(line)
    tag = len(line) - len(rest)
    return tag > 0 and line[0] in "[(（【" and 2 <= len(rest) <= 100 and not _SENTENCE_END.search(line)


def _title(lines: list[str], in_code: list[bool]) -> int:
    """Return the number of the title line, -1 if there is none."""
    first = next((number for number, line in enumerate(lines) if line.strip()), -1)
    rest = any(line.strip() for line in lines[first + 1 :])
    if first < 0 or in_code[first] or not rest or _LIST_OR_TABLE.match(lines[first]):
        return -1
    line = lines[first].strip()
    return -1 if len(line) > _TITLE_LENGTH or _SENTENCE_END.search(line) else first


def _is_heading(lines: list[str], in_code: list[bool], number: int) -> bool:
    line = lines[number].rstrip()
    if not line or len(line) > _HEADING_LENGTH or _LIST_OR_TABLE.match(line) or _CLAUSE.search(line):
        return False
    if _SENTENCE_END.search(line) or not re.search(r"\w", line):
        return False
    previous = lines[number - 1].strip() if number else ""
    if previous and not _is_prose(previous) and not _SECTION.fullmatch(previous):
        return False  # a cell of a flattened table, or a sentence wrapped over lines
    following = next((n for n in range(number + 1, len(lines)) if lines[n].strip()), -1)
    return following >= 0 and not in_code[following] and _is_prose(lines[following])


def _is_prose(line: str) -> bool:
    """Return whether a line is running text: it ends like a sentence, or is long and has clauses."""
    text = line.strip()
    if len(text) < 6 or _LIST_OR_TABLE.match(line):
        return False
    return bool(_SENTENCE_END.search(text)) or (len(text) > _HEADING_LENGTH and bool(_CLAUSE.search(text)))


def _fence_python(lines: list[str]) -> list[str]:
    """Fence runs of at least two lines that look like Python statements and parse together."""
    out: list[str] = []
    number = failures = 0
    while number < len(lines):
        likely = failures < _MAX_FAILURES and _looks_like_code(lines[number])
        end = _python_run(lines, number) if likely else 0
        if end:
            out += ["```python", *lines[number:end], "```"]
            number = end
        else:
            failures += likely
            out.append(lines[number])
            number += 1
    return out


def _python_run(lines: list[str], start: int) -> int:
    """Return the end of the run of Python that starts at `start`, 0 if there is none."""
    end = start
    while end < min(len(lines), start + _RUN_LENGTH):
        blank = end > start and not lines[end].strip()
        here = end + 1 if blank else end
        if here >= len(lines) or not _looks_like_code(lines[here]):
            break
        end = here + 1
    while end > start:
        block = lines[start:end]
        if sum(bool(line.strip()) for line in block) < 2:
            return 0
        error_at = _syntax_error("\n".join(block))
        if error_at is None:
            return end
        end = min(end - 1, start + error_at - 1)
        while end > start and not lines[end - 1].strip():
            end -= 1
    return 0


def _looks_like_code(line: str) -> bool:
    if len(line) > _CODE_LENGTH or not _CODE.match(line):
        return False
    return not _HAN.search(re.sub(r"\"[^\"]*\"|'[^']*'|#.*", "", line))


def _syntax_error(code: str) -> int | None:
    """Return the line, from 1, of the first syntax error, None if there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escape sequences
            ast.parse(code)
    except SyntaxError as error:
        return max(error.lineno or 1, 1)
    except (ValueError, RecursionError, MemoryError):
        return 1
    return None
