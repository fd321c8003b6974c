from __future__ import annotations

import pytest
from click import unstyle

from assistant.api_usage.api_report import ApiReport, NameReport
from assistant.api_usage.lookup import Deprecation, FoundName
from assistant.api_usage.mention import Mentions
from assistant.api_usage.names import ApiName
from ingest.document import Language
from ui.cli.text.api import told_names

RAISES = Deprecation("raises", "This function was deprecated since version 1.9 and is now removed.")


def report(*deprecated: Deprecation) -> ApiReport:
    name = ApiName("torch.symeig", "torch.symeig", (3,))
    found = FoundName(name, True, "function", name.name, "", deprecated, (), ())
    return ApiReport("2.13.0", (), (NameReport(found, Mentions(name.name, (), "")),))


@pytest.mark.parametrize(("language", "state"), [("en", "line 3 · removed"), ("zh", "第 3 行 · 已移除")])
def test_a_function_that_only_raises_is_removed(language: Language, state: str) -> None:
    lines = unstyle(told_names(report(RAISES), language)).splitlines()
    assert lines[1] == f"torch.symeig · {state}" and RAISES.words in lines[2]
    assert report(RAISES).missing == ("torch.symeig",) and report(RAISES).to_dict()["names"][0]["removed"]


def test_a_function_that_works_and_is_deprecated_is_not() -> None:
    told = report(Deprecation("doc", "torch.symeig is deprecated"))
    assert "torch.symeig · line 3 · exists · deprecated" in unstyle(told_names(told, "en"))
    assert told.missing == ()
