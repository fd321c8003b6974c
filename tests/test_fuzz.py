"""A few hundred texts for each target of `make fuzz`, made of what its seeds are made of and of anything."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz.seeds import SEEDS
from fuzz.targets import TARGETS
from tests.rows import each_row

EXAMPLES = {"pages": 25, "question": 60}  # these take longer


def texts(name: str) -> st.SearchStrategy[str]:
    """Pieces of the seeds in any order, with anything between them, lone surrogates as well."""
    pieces = sorted({piece for seed in SEEDS[name] for piece in re.findall(r"\w+|\s+|[^\w\s]{1,3}", seed)})
    anything = st.text(st.characters(), max_size=6)
    return st.lists(st.sampled_from(pieces) | anything, max_size=40).map("".join)


@each_row("name", sorted(TARGETS))
def test_what_always_holds(name: str) -> None:
    @settings(
        max_examples=EXAMPLES.get(name, 100),
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(texts(name))
    def holds(text: str) -> None:
        TARGETS[name](text)

    for seed in SEEDS[name]:
        TARGETS[name](seed)
    holds()
