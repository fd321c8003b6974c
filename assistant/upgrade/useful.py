"""What is new and useful for code: places where it does by hand what a release brought."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from assistant.api_usage.scopes import CodeScope
from assistant.upgrade.flow import Flow
from assistant.upgrade.inference import Inference
from assistant.upgrade.templates import ROOT_NODES, Matcher, dotted, parsed_template, words_of
from corpus.news import News, load_news

_Roots = Mapping[type[ast.AST], list[ast.AST]]


@dataclass(frozen=True, slots=True)
class ByHand:
    """A place where code does by hand what is new.

    Attributes:
        node: the expression or class.
        news: what is new.
        versioned: whether it stands behind a check of the version.
    """

    node: ast.AST
    news: News
    versioned: bool = False


def done_by_hand(inference: Inference, source: str, names: Collection[str]) -> Iterator[ByHand]:
    """Yield the places where code does by hand what a release brought.

    Args:
        inference: meanings of the expressions of the file.
        source: the code.
        names: names of torch that it uses; where they show that the author knows, nothing is told.
    """
    wanted = [
        (news, templates)
        for news in load_news()
        if (templates := [each for each in news.templates if all(word in source for word in words_of(each))])
        and not any(_covers(known, name) for known in _known(news) for name in names)
    ]
    if not wanted:
        return
    for scope in inference.scopes:
        roots = _roots(scope)
        flow = Flow(inference, scope)
        for news, templates in wanted:
            found = {id(node): node for node in _found(flow, news, templates, roots)}
            if found and (not news.beside or any(_found(flow, news, news.beside, roots))):
                yield from (ByHand(node, news) for node in found.values())


def _found(flow: Flow, news: News, templates: Iterable[str], roots: _Roots) -> Iterator[ast.AST]:
    matcher = Matcher(flow, news.where, news.apart)
    for template in templates:
        want = parsed_template(template)
        head = _head(want)
        for node in roots.get(type(want), ()):
            other = _head(node)
            fits = (not head or not other or head == other) and not _passes(node, news.unless)
            if fits and matcher.matches(template, node):
                yield node


def _roots(scope: CodeScope) -> _Roots:
    """Return the nodes of a scope that templates can have the form of, by their type."""
    found: dict[type[ast.AST], list[ast.AST]] = {}
    for node in scope.nodes:
        if isinstance(node, (*ROOT_NODES, ast.ClassDef)):
            found.setdefault(type(node), []).append(node)
    return found


def _head(node: ast.AST) -> str:
    """Return the last name of what is called or read, "" where another name may stand for it."""
    called = node.func if isinstance(node, ast.Call) else node
    return called.attr if isinstance(called, ast.Attribute) else ""


def _passes(node: ast.AST, arguments: Collection[str]) -> bool:
    return isinstance(node, ast.Call) and any(
        each.arg in (None, *arguments) for each in node.keywords if arguments
    )


@lru_cache(maxsize=64)
def _known(news: News) -> tuple[str, ...]:
    """Return the names whose use shows that the author knows: those of APIs, not of arguments."""
    own = tuple(name for name in news.names if "(" not in name and dotted(parsed_template(name)))
    return own + news.known


def _covers(known: str, name: str) -> bool:
    return name == known or name.startswith(f"{known}.")
