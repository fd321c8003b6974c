"""Components that follow the language of the interface."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import gradio as gr

from ingest.document import LANGUAGES, Language

Part = TypeVar("Part", bound=gr.blocks.Block)


class TranslatedComponents:
    """Creates components in English, and returns updates for another language.

    >>> spoken = TranslatedComponents()
    >>> with gr.Blocks():
    ...     button = spoken(gr.Button, value={"zh": "发送", "en": "Ask"}, variant="primary")
    >>> button.value, spoken.updates("zh")[0]["value"]
    ('Ask', '发送')
    """

    def __init__(self) -> None:
        self._parts: list[tuple[gr.blocks.Block, dict[str, Mapping[Language, Any]]]] = []

    def __call__(self, kind: Callable[..., Part], **options: Any) -> Part:
        """Create a component; options with a value per language get the English one.

        Args:
            kind: class of the component.
            **options: arguments of the class.
        """
        said = {name: value for name, value in options.items() if _by_language(value)}
        part = kind(**options | {name: value["en"] for name, value in said.items()})
        if said:
            self._parts.append((part, said))
        return part

    @property
    def parts(self) -> list[gr.blocks.Block]:
        """Components with translated options, in the order of `updates`."""
        return [part for part, _ in self._parts]

    def updates(self, language: Language) -> list[dict[str, Any]]:
        """Return the updates of all `parts`.

        Args:
            language: language of the interface.
        """
        return [
            gr.update(**{name: value[language] for name, value in said.items()}) for _, said in self._parts
        ]


def _by_language(value: object) -> bool:
    return isinstance(value, Mapping) and value.keys() == set(LANGUAGES)
