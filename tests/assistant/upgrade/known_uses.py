"""The uses of uses.txt: those that are marked there, and those that are found."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from assistant.upgrade.matching import matches
from assistant.upgrade.patterns import patterns_for
from assistant.upgrade.uses import read_code
from ingest.release import Release

USES = Path(__file__).with_name("uses.txt")
Found = set[tuple[int, str]]


@cache
def wanted_and_found() -> tuple[Found, Found]:
    """Line of the file and symbol: those that are marked, and those that are found."""
    text = USES.read_text(encoding="utf-8")
    patterns = patterns_for(Release(1, 13), Release(2, 14))
    wanted: Found = set()
    found: Found = set()
    start = 0
    for part in re.split(r"^(?=# -{20})", text, flags=re.M):
        for number, line in enumerate(part.split("\n")):
            wanted |= {(start + number, symbol) for symbol in line.partition("#>")[2].split()}
        for match in matches(read_code(part).uses, patterns):
            if match.certainty != "name" and not match.use.guarded:
                found.add((start + getattr(match.use.node, "lineno", 0) - 1, match.pattern.symbol))
        start += part.count("\n")
    return wanted, found
