"""How a command comes by the index: with what ships, or as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.factory import AssistantFactory
    from index.storage.generation import Generation


def open_workshop() -> AssistantFactory:
    """The parts that the settings name."""
    from assistant.factory import AssistantFactory
    from assistant.settings import load_settings

    return AssistantFactory(load_settings())


def index_with_what_ships(factory: AssistantFactory | None = None) -> Generation:
    """The index, with what ships taken in first where it is not up to date; for commands that ask it."""
    from ui.cli.progress import BuildProgressLine

    factory = factory or open_workshop()
    with BuildProgressLine() as progress:
        factory.ship(progress)
    return factory.store.open()


def index_as_it_is(factory: AssistantFactory) -> Generation:
    """The index, whatever it was built with; on a fresh machine with what ships. For commands that mend."""
    return index_with_what_ships(factory) if factory.store.current() is None else factory.store.open()
