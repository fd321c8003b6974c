"""Loading of the shipped checks, one file each in claims/, and of reasons why some sections have none."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from assistant.checks.check import BEYOND, Check, Cost, Kind, Needs, Words
from assistant.checks.rule import RatioRule, Rule
from ingest.document import LANGUAGES
from ingest.errors import TorchnotesError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(__file__).parent
CLAIMS = FOLDER / "claims"
PROGRAMS = FOLDER / "programs"
WITHOUT = FOLDER / "without.toml"

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_KEYS = {"release", "section", "also", "kind", "cost", "program", "claim", "limits", "needs", "rule"}


class CheckFileError(TorchnotesError):
    """A file of a check is not valid."""


@lru_cache(maxsize=1)
def load_checks() -> tuple[Check, ...]:
    """Return all checks, by release and then by id."""
    checks = (read_check(path) for path in CLAIMS.glob("*.toml"))
    return tuple(sorted(checks, key=lambda check: (_order(check.release), check.id)))


def find_check(id_: str) -> Check:
    """Return a check by its id.

    Args:
        id_: the id; underscores count as hyphens.

    Raises:
        TorchnotesError: there is no such check.
    """
    wanted = id_.strip().lower().replace("_", "-")
    for check in load_checks():
        if check.id == wanted:
            return check
    near = [check.id for check in load_checks() if wanted in check.id or check.id in wanted]
    hint = f"; near it: {', '.join(near)}" if near else ""
    raise TorchnotesError(f"{id_}: no check is called so{hint}. `torchnotes checks` lists them all.")


def checks_of(release: str, section: str | None = None) -> tuple[Check, ...]:
    """Return the checks of a release.

    Args:
        release: release, such as "2.4".
        section: id of a digest's section; None: any section.
    """
    return tuple(
        check
        for check in load_checks()
        if any(of == release and section in (None, id_) for of, id_ in check.sections)
    )


@lru_cache(maxsize=1)
def reasons_without() -> Mapping[tuple[str, str], Words]:
    """Return why a section of a digest cannot be checked, by (release, section)."""
    tables = _load(WITHOUT)
    return {
        (release, section): {language: words[language] for language in LANGUAGES}
        for release, sections in tables.items()
        for section, words in sections.items()
    }


def read_check(path: Path) -> Check:
    """Read a check from its file.

    Args:
        path: a TOML file in claims/.

    Raises:
        CheckFileError: the file is incomplete or invalid.
    """
    table = _load(path)
    try:
        check = _check(path.stem, table)
    except (KeyError, TypeError, ValueError) as error:
        raise CheckFileError(f"{path.name}: {type(error).__name__}: {error}") from error
    wrong = [*sorted(f"unknown key {key}" for key in table.keys() - _KEYS), *_faults(check)]
    if wrong:
        raise CheckFileError(f"{path.name}: {'; '.join(wrong)}")
    return check


def _load(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        table: dict[str, Any] = tomllib.load(file)
    return table


def _check(id_: str, table: Mapping[str, Any]) -> Check:
    return Check(
        id=id_,
        release=table["release"],
        section=table["section"],
        also=tuple(
            (release, section) for release, _, section in (s.partition("#") for s in table.get("also", ()))
        ),
        claim={language: table["claim"][language] for language in LANGUAGES},
        limits={language: table.get("limits", {}).get(language, "") for language in LANGUAGES},
        kind=table.get("kind", "as-stated"),
        cost=table["cost"],
        program=PROGRAMS / table["program"],
        needs=_needs(table.get("needs", {})),
        rule=_rule(table["rule"]),
    )


def _needs(table: Mapping[str, Any]) -> Needs:
    tuples = {key: tuple(value) for key, value in table.items() if isinstance(value, list)}
    return Needs(**{**table, **tuples})


def _rule(table: Mapping[str, Any]) -> Rule:
    unknown = table.keys() - {"facts", "at_least", "at_most", "ratios"}
    if unknown:
        raise ValueError(f"a rule has no {', '.join(sorted(unknown))}")
    ratios = tuple(RatioRule(**ratio) for ratio in table.get("ratios", ()))
    return Rule(table.get("facts", {}), table.get("at_least", {}), table.get("at_most", {}), ratios)


def _faults(check: Check) -> list[str]:
    """Return the faults of a check in words."""
    said = [check.limits[language] for language in LANGUAGES]
    faults = {
        "its name is not lower-case words with hyphens": not _ID.fullmatch(check.id),
        f"no such kind: {check.kind}": check.kind not in get_args(Kind),
        f"no such cost: {check.cost}": check.cost not in get_args(Cost),
        "a claim is empty": not all(check.claim.values()),
        "limits in one language only": any(said) and not all(said),
        f"no program {check.program.name}": not check.program.is_file(),
        "a claim of its kind has to tell its limits": check.kind in BEYOND and not all(said),
        "a ratio that confirms has to be above 1, and above the one that refutes": any(
            ratio.confirm_min < max(1.0, ratio.refute_max) for ratio in check.rule.ratios
        ),
    }
    return [text for text, wrong in faults.items() if wrong]


def _order(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.split("."))
