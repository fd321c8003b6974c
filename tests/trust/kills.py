"""A command killed at a random moment: the index is as it was or as it is to be, and the command goes on."""

from __future__ import annotations

import random
import shutil
import signal
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from index.storage.store import Store
from tests.index.processes import context, end, start
from tests.trust.acting import Place, act, texts


@dataclass(frozen=True)
class Whole:
    """An action that is not disturbed: what the index then holds, its touches of files, its seconds."""

    texts: dict[str, str]
    touches: int
    seconds: float


@lru_cache
def whole(place: Place, action: str) -> Whole:
    home = place.base / f"whole-{action}"
    shutil.copytree(place.base / "home", home)
    began = time.perf_counter()
    assert end(start(act, place, home, action)) == 0, home.with_name(f"{home.name}.out").read_text()
    seconds = time.perf_counter() - began
    return Whole(texts(home), int((place.base / f"{action}.touches").read_text()), seconds)


def kill_once(place: Place, home: Path, action: str, number: int) -> bool:
    """Kill an action on a fresh copy of the home, by turns before a touch of a file or after a while.

    Args:
        place: as `prepare` made it.
        home: made here, and removed when all is well.
        action: one of ACTIONS.
        number: chooses the moment.

    Returns:
        Whether it was killed; some are through before.
    """
    shutil.copytree(place.base / "home", home)
    old, new = texts(home), whole(place, action)
    chance = random.Random(f"{action} {number}")
    if number % 2:
        process = start(act, place, home, action, None, chance.randrange(new.touches))
    else:
        begun = context().Event()
        process = start(act, place, home, action, begun)
        assert begun.wait(60)
        process.join(chance.uniform(0.0, 1.0) * new.seconds)
        process.kill()
    code = end(process)
    assert code in (0, -signal.SIGKILL)
    store = Store(home)
    assert store.verify() == []
    assert texts(home) in (old, new.texts), "neither what it was nor what it is to be"
    again = end(start(act, place, home, action))
    said = home.with_name(f"{home.name}.out").read_text(encoding="utf-8")
    done = action == "remove" and again == 2 and "no document" in said  # it was through
    assert again == 0 or done, said
    assert texts(home) == new.texts and store.verify() == []
    left = [path.name for path in (home / "index" / "generations").iterdir()]
    assert len(left) <= 2 and not [name for name in left if name.startswith("tmp-")]
    shutil.rmtree(home)
    return code != 0
