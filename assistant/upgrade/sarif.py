"""The upgrade report as SARIF 2.1.0, which code scanning services show beside the code."""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError, version
from pathlib import PurePosixPath
from typing import Any, Literal
from urllib.parse import quote

from assistant.upgrade.finding import Finding, UpgradeReport

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_TITLES = {
    "breaks": "Breaks in a later PyTorch",
    "default": "Default value changes in a later PyTorch",
    "deprecated": "Deprecated in PyTorch",
    "platform": "Platform that a later PyTorch does not support",
    "status": "Another status in a later PyTorch",
    "new": "New in a later PyTorch",
}


def to_sarif(report: UpgradeReport) -> dict[str, Any]:
    """Convert a report to a SARIF log with one run.

    Addresses of files are relative to the current folder if the path was given so, which in a build is the
    root of the repository.

    Args:
        report: the report.
    """
    rules = {_rule_id(each): each for each in report.findings}
    order = {id_: number for number, id_ in enumerate(rules)}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "torchnotes",
                        "version": _version(),
                        "rules": [_rule(id_, each) for id_, each in rules.items()],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(each, order, report.prefix) for each in report.findings],
                "invocations": [
                    {
                        "executionSuccessful": True,
                        "toolExecutionNotifications": [
                            {"level": "note", "message": {"text": f"{each.file}: {each.reason}"}}
                            for each in report.searched.skipped
                        ],
                    }
                ],
            }
        ],
    }


def _rule(id_: str, finding: Finding) -> dict[str, Any]:
    rule: dict[str, Any] = {
        "id": id_,
        "shortDescription": {"text": f"{_TITLES[finding.kind]}: {finding.symbol}"},
        "fullDescription": {"text": finding.quote or finding.symbol},
        "properties": {"release": finding.release, "removedIn": finding.removed_in, "source": finding.source},
    }
    return rule | ({"helpUri": finding.url} if finding.url else {})


def _result(finding: Finding, order: dict[str, int], prefix: PurePosixPath) -> dict[str, Any]:
    place = finding.place
    instead = f" Instead: {', '.join(finding.replacement)}." if finding.replacement else ""
    why = f"{finding.why}. " if finding.why else ""
    region = {"startLine": place.line, "startColumn": place.column}
    if not place.cell:  # lines of a cell are known, columns of the JSON around them are not
        region |= {"endLine": place.end_line, "endColumn": max(place.end_column, 1)}
    id_ = _rule_id(finding)
    seed = f"{id_}\0{place.file}\0{place.code}"
    return {
        "ruleId": id_,
        "ruleIndex": order[id_],
        "level": _level(finding),
        "message": {"text": f"{finding.symbol}: {why}{finding.quote}{instead}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(str(prefix / place.file)), "uriBaseId": "%SRCROOT%"},
                    "region": region if not place.cell else {"startLine": place.line},
                }
            }
        ],
        "partialFingerprints": {"torchnotes/v1": hashlib.sha256(seed.encode()).hexdigest()[:32]},
        "properties": {"certainty": finding.certainty},
    }


def _level(finding: Finding) -> Literal["error", "warning", "note"]:
    if finding.certainty == "name" or finding.kind in ("status", "new"):
        return "note"
    return "error" if finding.kind == "breaks" and finding.certainty == "sure" else "warning"


def _rule_id(finding: Finding) -> str:
    return f"{finding.kind}/{finding.symbol}/{finding.release or 'torch'}"


def _version() -> str:
    try:
        return version("torchnotes")
    except PackageNotFoundError:
        return "0"
