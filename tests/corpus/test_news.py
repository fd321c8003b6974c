"""What is new and useful, and statuses, as data: each has its section, and says of it what it says."""

from __future__ import annotations

import ast
import re

from assistant.upgrade.templates import ROOT_NODES, parsed_template
from corpus.news import FeatureStatus, News, StatusStep, load_news, load_statuses
from corpus.shipped import DIGESTS
from ingest.release import Release
from ingest.status import SAID
from tests.corpus.test_changes import has, statuses
from tests.rows import each_row

STEPS = [(feature, step) for feature in load_statuses() for step in feature.steps]
PUBLIC = r"\bpublic\b|公开"


def section(release: str, name: str, language: str) -> str:
    """The text of a section of a digest, without what follows it."""
    text = (DIGESTS / language / f"{release}.md").read_text(encoding="utf-8")
    found = re.search(rf"^#+ (?P<all>.*\{{#{name}\}}.*?)(?=^#+ .*\{{#|\Z)", text, re.M | re.S)
    assert found, f"{release} has no section {name}"
    return found["all"]


@each_row("news", load_news(), ids=lambda each: f"{each.release}-{each.section}")
def test_the_digest_names_what_is_new(news: News) -> None:
    for language in ("en", "zh"):
        text = section(news.release, news.section, language)
        for name in news.names:
            path, _, argument = name.partition("(")
            last = argument.rstrip("=)") if argument else path.removeprefix("torch.").rpartition(".")[2]
            assert last in text, f"{name} is not in {news.section} ({language})"
        assert news.tells in text
    assert news.seen_en and news.seen_zh and not news.seen_en.endswith(".")


@each_row("news", load_news(), ids=lambda each: f"{each.release}-{each.section}")
def test_templates_can_be_found(news: News) -> None:
    for text in (*news.templates, *news.beside):
        assert isinstance(parsed_template(text), (*ROOT_NODES, ast.ClassDef)), text
    for text in (*news.apart, *(each for texts in news.where.values() for each in texts)):
        parsed_template(text)
    assert all(name.startswith("_") and name not in ("_", "_any", "_each") for name in news.where)


@each_row("name", sorted({name for news in load_news() for name in news.names if "(" not in name}))
def test_torch_has_what_is_new(name: str) -> None:
    assert has(name)


@each_row(("feature", "step"), STEPS, ids=lambda each: getattr(each, "section", ""))
def test_the_digest_tells_the_status(feature: FeatureStatus, step: StatusStep) -> None:
    for language in ("en", "zh"):
        told = statuses(step.release, language)
        assert step.section in told
        if step.status == "public":
            assert re.search(PUBLIC, section(step.release, step.section, language))
        else:
            assert told[step.section] == step.status
            assert re.search(SAID[step.status], section(step.release, step.section, language), re.I | re.A)  # type: ignore[index]
    assert feature.names


def test_steps_are_in_order_and_differ() -> None:
    for feature in load_statuses():
        releases = [Release.parse(each.release) for each in feature.steps]
        assert releases == sorted(releases) and len(releases) > 1, feature.names
        assert all(a.status != b.status for a, b in zip(feature.steps, feature.steps[1:], strict=False))
        assert bool(feature.public) == (feature.steps[-1].status == "public")
