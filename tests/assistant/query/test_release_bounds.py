"""Bounds on releases: words and signs of both languages, alone, together, and what only looks like one."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from assistant.assistant import Assistant
from assistant.query.release_scope import ReleaseScope, find_releases
from ingest.release import Release
from tests.rows import each_row

KNOWN = tuple(Release.parse(text) for text in "1.12 1.13 2.0 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8".split())
COMPARE: dict[str, Callable[[Release, Release], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}
#: How each bound is said.
SAID = {
    ">=": "since {}|from {} on|from {} onwards|starting with {}|at least {}|{} and later|{} or newer|{}+"
    "|{} or above|no earlier than {}|not older than {}|since PyTorch {}.0|from {} to now",
    ">": "after {}|newer than {}|later than {}|above {}|higher than {}|after version {}|more recent than {}",
    "<=": "up to {}|up to and including {}|no later than {}|at most {}|{} or earlier|{} and older"
    "|{} or below|not newer than {}",
    "<": "before {}|older than {}|earlier than {}|below {}|prior to {}|lower than {}|before release {}"
    "|until {}",
}
ZH_SAID = {
    ">=": "{} 以来|{} 以后|{}以后|自 {} 起|从 {} 开始|从{}起|{} 及以上|{}以上|{} 及以后|{} 或更高版本"
    "|不低于 {}|不早于{}|至少 {}|{} 版以来",
    ">": "{} 之后|{}之后|晚于 {}|高于{}|比 {} 新|比 PyTorch {} 还新|新于 {}|{} 版本之后",
    "<=": "{} 及以下|{}以下|{} 及以前|{} 或更早|不高于 {}|不晚于{}|至多 {}|截至 {}|{} 及之前",
    "<": "{} 之前|{}之前|{} 以前|早于 {}|低于{}|比 {} 旧|比 {} 更早|{} 版本以前",
}
SIGNED = {sign: f"torch{sign}{{}}|torch {sign} {{}}|PyTorch version {sign}{{}}" for sign in COMPARE}
PAIRS = [("2.2", "2.6"), ("2.3", "2.5"), ("1.13", "2.1"), ("2.4", "2.7")]
LOWER, UPPER = (">=", ">"), ("<=", "<")


def forms(said: dict[str, str], signs: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for sign in signs:
        yield from ((sign, form) for form in said[sign].split("|"))


def meant(*bounds: tuple[str, str]) -> list[str]:
    """The releases within all of some bounds, each a sign and a release."""
    within = [r for r in KNOWN if all(COMPARE[sign](r, Release.parse(of)) for sign, of in bounds)]
    return list(map(str, within))


def read(text: str) -> ReleaseScope:
    return find_releases(text, KNOWN)


def found(text: str) -> list[str]:
    return list(map(str, read(text).releases))


@each_row(
    ("sign", "form"), [case for said in (SAID, ZH_SAID, SIGNED) for case in forms(said, (*LOWER, *UPPER))]
)
def test_a_bound_alone(sign: str, form: str) -> None:
    chinese = any(c >= "\u4e00" for c in form)
    frames = (
        ("{}", "{} 的 TCPStore 有什么变化？", "TCPStore 在 {}的版本里默认用什么", "请问{}，后端是什么")
        if chinese
        else (
            "{}",
            "What changed in TCPStore {}?",
            "{}, which backend does TCPStore use",
            "Tell me what is new {}.",
        )
    )
    for frame, release in product(frames, ("2.0", "2.4", "2.6")):
        text = frame.format(form.format(release))
        assert found(text) == meant((sign, release)), text


@each_row(
    ("said", "joints"),
    [
        (SAID, (" but ", " and ", ", ", " and also ")),
        (ZH_SAID, ("、", "，", "且", "，但", "到", " ")),
        (SIGNED, (",", ", ", " and ", " 且 ")),
    ],
    ids=["en", "zh", "signs"],
)
@each_row("lower_first", [True, False], ids=["lower first", "upper first"])
def test_a_lower_and_an_upper_bound(said: dict[str, str], joints: tuple[str, ...], lower_first: bool) -> None:
    wrong = []
    cases = product(forms(said, LOWER), forms(said, UPPER), joints, PAIRS)
    for (low, lower), (high, upper), joint, (first, last) in cases:
        one, other = lower.format(first), upper.format(last)
        text = f"TCPStore {one}{joint}{other}" if lower_first else f"TCPStore {other}{joint}{one}"
        if joint == "到" and not lower_first:
            continue
        # A range is closed at its end, whatever word leads there: "since 2.2 until 2.6".
        reaches = upper.startswith("until") and lower_first and joint == " "
        if found(text) != meant((low, first), ("<=" if reaches else high, last)):
            wrong.append((text, found(text)))
    assert "\n".join(f"{text}: {releases}" for text, releases in wrong) == ""


@each_row("first", ["2.2", "2.4", "1.13"])
@each_row(
    "form",
    [
        "from {} to {}",
        "between {} and {}",
        "between PyTorch {} and PyTorch {}",
        "{} through {}",
        "{}-{}",
        "{} – {}",
        "from {} until {}",
        "from {} up to {}",
        "since {} up to and including {}",
        "从 {} 到 {}",
        "{}到{}",
        "{} 至 {}",
        "介于 {} 和 {} 之间",
        "{} 和 {} 之间",
        "{}与{}之间",
        "从 {} 升级到 {}",
        "torch>={},<={}",
        "{} <= torch <= {}",
    ],
)
def test_a_range_holds_its_ends(form: str, first: str) -> None:
    for last in ("2.5", "2.7"):
        assert found(form.format(first, last)) == meant((">=", first), ("<=", last))


@each_row(
    ("text", "bounds"),
    [
        ("from 2.3 to before 2.6", ">=2.3 <2.6"),
        ("from 2.3 up to but not including 2.6", ">=2.3 <2.6"),
        ("从 2.3 到 2.6 之前", ">=2.3 <2.6"),
        ("2.3 之后到 2.6", ">2.3 <=2.6"),
        ("after 2.3 through 2.6", ">2.3 <=2.6"),
        ("newer than 2.3 to 2.6", ">2.3 <=2.6"),
        ("2.3 <= torch < 2.6", ">=2.3 <2.6"),
        ("2.3 < torch <= 2.6", ">2.3 <=2.6"),
        ("torch>=2.3 <2.6", ">=2.3 <2.6"),
    ],
)
def test_an_end_of_a_range_may_be_open(text: str, bounds: str) -> None:
    assert found(text) == meant(*((b.rstrip("0123456789."), b.lstrip("<>=")) for b in bounds.split()))


@each_row(
    ("text", "expected"),
    [
        ("torch==2.4.*", "2.4"),
        ("torch==2.4", "2.4"),
        ("torch===2.4.1", "2.4"),
        ("torch~=2.4", "2.4 2.5 2.6 2.7 2.8"),
        ("torch~=1.12", "1.12 1.13"),
        ("torch~=2.4.1", "2.4"),
        ("torch==1.*", "1.12 1.13"),
        ("torch>=2.4,<2.7,!=2.5", "2.4 2.6"),
        ("torch>=2.7.1", "2.7 2.8"),
        ("torch<1.13.1", "1.12 1.13"),
        ("torch 2.4.1+cu121", "2.4"),
        ("torch≥2.7", "2.7 2.8"),
        ("torch＞＝2.7", "2.7 2.8"),
        ("versions >= 2.7", "2.7 2.8"),
    ],
)
def test_a_requirement_is_read_as_pip_reads_it(text: str, expected: str) -> None:
    assert " ".join(found(f"Does {text} have FSDP2?")) == expected


@each_row(
    ("text", "expected"),
    [
        ("before 2.0 or after 2.6", "1.12 1.13 2.7 2.8"),
        ("2.0 以前和 2.6 之后的区别", "1.12 1.13 2.7 2.8"),
        ("2.1-2.2 and 2.5-2.6", "2.1 2.2 2.5 2.6"),
        ("2.4 and 2.7 or later", "2.4 2.7 2.8"),
        ("in 2.4 and newer than 2.6", "2.4 2.7 2.8"),
        ("除了 2.4、2.5，2.6 之后呢", "2.5 2.7 2.8"),
        ("after 2.4 but before 2.5", "2.4 2.5"),  # nothing lies between: what is named is searched
        ("older than 1.12", "1.12"),
        ("比 2.4 快的 2.5", "2.4 2.5"),
        ("2.5 比 2.4 新增了什么", "2.4 2.5"),
        ("Is 2.5 faster than 2.4?", "2.4 2.5"),
    ],
)
def test_bounds_that_do_not_meet_stand_side_by_side(text: str, expected: str) -> None:
    assert " ".join(found(text)) == expected


@each_row(
    "text",
    [
        "升级到 2.6 之后 except 接不住了",
        "装了 2.6 以后报错",
        "升级到 2.6 之前要注意什么",
        "after upgrading to 2.6 it fails",
        "before upgrading to 2.6",
        "after the 2.6 upgrade",
        "2.6 起不来了",
        "As of 2.6, is that still the recommended way?",
        "2.6 on Windows",
        "from 2.6 on Windows",
        "2.6 以下哪些功能是新的",
        "2.6 以上内容有哪些",
        "numpy>=1.26,<2.1 with 2.6",
        "NCCL newer than 2.21 in 2.6",
        "Python 3.10 and later in 2.6",
        "2.6 后端是什么",
        "alpha>1.5 in 2.6",
    ],
)
def test_words_of_something_else_are_no_bound(text: str) -> None:
    assert found(text) == ["2.6"]


def test_newer_than_the_newest_asks_for_the_newest() -> None:
    scope = read("What is newer than 2.8?")
    assert scope.releases == (Release(2, 8),) and scope.latest
    assert not read("since 2.8").latest and not read("2.4 or newer than 2.8").latest


def test_an_open_bound_that_is_unknown_is_not_asked_for() -> None:
    assert read("before 2.30").unknown == () and read("up to 2.30").unknown == (Release(2, 30),)
    assert read("newer than 2.30").unknown == (Release(2, 30),)


@each_row(
    ("text", "left"),
    [
        ("What breaks when I upgrade from 2.4 to 2.6?", "2.4"),
        ("What is deprecated from 2.4 to 2.6?", "2.4"),
        ("从 2.4 到 2.6 有哪些不兼容变更", "2.4"),
        ("2.4 升级到 2.6 要改什么", "2.4"),
        ("I upgrade from 2.4; what breaks in 2.6?", "2.4"),
        ("What breaks when upgrading to 2.4 and 2.6?", ""),
        ("What moved from prototype to beta in 2.4 and 2.6?", ""),
        ("哪些功能从原型转到测试版，在 2.4 和 2.6 里？", ""),
        ("What is deprecated in 2.4 to 2.6?", ""),
        ("What breaks between 2.4 and 2.6?", ""),
    ],
)
def test_who_upgrades_leaves_a_release(text: str, left: str) -> None:
    assert str(read(text).left or "") == left


@pytest.mark.parametrize(
    "question",
    [
        "Which features moved from prototype to beta in 2.4 and 2.6?",
        "2.4 和 2.6 里有哪些功能从原型转到了测试版？",
    ],
)
def test_a_change_of_status_in_two_releases_lists_both(digest_assistant: Assistant, question: str) -> None:
    answer = digest_assistant.ask(question)
    assert {citation.version for citation in answer.citations} == {"2.4", "2.6"}
