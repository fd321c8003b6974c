"""A Slack with two bots that are killed at each of their steps, while people write."""

from __future__ import annotations

import random
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from tests.ui.slack.bot_process import Point, context, run
from tests.ui.slack.server import PATIENCE, FakeSlack
from tests.ui.slack.week_people import Said, events_of, say
from ui.slack.state import State

#: Requests that fail now and then.
METHODS = ("chat.postMessage", "chat.update", "conversations.replies", "conversations.history", "files")
_RESENT = 0.5  # seconds after which Slack sends again what is not acknowledged


@dataclass
class Week:
    """A Slack with two bots, over one state.

    Attributes:
        slack: the Slack.
        state: path of the bots' state.
        home: folder with an index; None: canned answers.
        processes: the bots.
        chance: decides on outages.
        modes: of the channels.
        troubled: there are outages.
        points: steps at which bots are still to die.
        kills: number of bots killed so far.
        faults: number of outages so far.
    """

    slack: FakeSlack
    state: Path
    home: Path | None
    processes: list[ForkServerProcess]
    chance: random.Random = field(default_factory=lambda: random.Random(24))
    modes: str = ""
    troubled: bool = True
    points: deque[Point] = field(default_factory=deque)
    kills: int = 0
    faults: int = 0
    _armed: dict[ForkServerProcess, Point] = field(default_factory=dict)

    def arm(self) -> None:
        """Start a bot that dies at the next of the steps; where none is left, one that lives."""
        point = self.points.popleft() if self.points else None
        process = self.start(point)
        if point:
            self._armed[process] = point

    def bury(self) -> None:
        """Count the bots that died of themselves, and replace them."""
        for process in [each for each in self.processes if not each.is_alive()]:
            self.processes.remove(process)
            self._armed.pop(process, None)
            self.kills += 1
        while len(self.processes) < 2:
            self.arm()

    def start(self, kill_at: int | Point | None = None) -> ForkServerProcess:
        """Start a bot, and wait until it is connected, or has killed itself."""
        count = self.slack.greeted
        given = (self.slack.root, self.state, self.home, kill_at, self.modes)
        process = context().Process(target=run, args=given, daemon=True)
        process.start()
        self.processes.append(process)
        with self.slack.changed:
            while self.slack.greeted <= count and process.is_alive():
                self.slack.changed.wait(0.05)
        return process

    def kill(self, process: ForkServerProcess) -> None:
        """Kill a bot, as `kill -9` does."""
        process.kill()
        process.join(PATIENCE)
        self.processes.remove(process)
        self.kills += 1
        if point := self._armed.pop(process, None):
            self.points.append(point)  # it did not come to that step

    def deliver(self, *events: dict[str, Any]) -> None:
        """Send events until each is acknowledged, as Slack does, to any of the connections."""
        left = {f"Ev{self.slack.stamp()}": event for event in events}
        sent: dict[str, str] = {}
        waited = 0.0
        while left and waited < PATIENCE:
            for name, event in left.items():
                sent |= self._send(name, event)
            with self.slack.changed:
                self.slack.changed.wait_for(partial(self._all_acked, left, sent), _RESENT)
                acked = self._acked(sent)
            waited += _RESENT
            left = {name: event for name, event in left.items() if name not in acked}
        assert not left, "events are never acknowledged"

    def settle(self) -> None:
        """Wait until the bots have done all that they took; those that die meanwhile are replaced."""
        jobs = State(self.state).jobs
        tick = threading.Event()
        for _ in range(int(PATIENCE / 0.05)):
            if not jobs.workers():
                return
            self.bury()
            tick.wait(0.05)
        raise AssertionError("something is never done")

    def disturb(self) -> None:
        """Break some of the next requests."""
        if self.chance.random() < 0.1:
            self.slack.close_sockets()
        for method in METHODS:
            if self.chance.random() < 0.35:
                self.faults += 1
                kind = self.chance.randrange(5)
                if kind == 0:
                    self.slack.fail(method, 503, times=self.chance.randint(1, 4))
                elif kind == 1:
                    self.slack.fail(method, 0, times=self.chance.randint(1, 4))
                elif kind == 2:
                    self.slack.fail(method, 0, done=True)
                elif kind == 3:
                    self.slack.fail(method, 503, done=True)
                else:
                    self.slack.fail(method, 429, error="ratelimited", Retry_After="0")

    def calm(self) -> None:
        """End all outages."""
        self.slack.down = False
        self.slack.faults.clear()

    def _send(self, name: str, event: dict[str, Any]) -> dict[str, str]:
        """Send an event to one of the bots; its envelope, none where that bot has just died."""
        if not any(process.is_alive() for process in self.processes):
            self.bury()  # both have come to the step at which they die
        with self.slack.changed:
            assert self.slack.changed.wait_for(lambda: self.slack.connections, PATIENCE), "no bot is there"
            to = self.chance.randrange(len(self.slack.connections))
        try:
            return {self.slack.deliver(event, name, to=to): name}
        except (ConnectionClosed, IndexError):
            return {}

    def _all_acked(self, left: dict[str, dict[str, Any]], sent: dict[str, str]) -> bool:
        return left.keys() <= self._acked(sent)

    def _acked(self, sent: dict[str, str]) -> set[str]:
        return {name for envelope, name in sent.items() if envelope in self.slack.acked}


def play(week: Week, script: Sequence[Said], *, kill_every: int) -> list[tuple[Said, str]]:
    """Play a script with outages and kills; what was said with its time stamps.

    Args:
        week: the Slack and its bots.
        script: what people say.
        kill_every: number of messages after which a bot, now and then both, is killed at any moment.
    """
    threads: dict[str, str] = {}
    played: list[tuple[Said, str]] = []
    held: list[dict[str, Any]] = []
    for number, said in enumerate(script, 1):
        event = say(week.slack, said, threads.get(said.thread, ""))
        if said.opens:
            threads[said.opens] = event["ts"]
        played.append((said, event["ts"]))
        held += events_of(week.slack, said, event)
        if said.soon:
            continue
        if week.troubled:
            week.slack.down = said.outage
            week.disturb()
        if number % kill_every == 0 and week.chance.random() < 0.5:
            for process in week.processes[week.chance.randrange(2) :]:
                week.kill(process)  # nobody is there when the events come, or one bot
        week.deliver(*held)
        held = []
        if number % kill_every == 0 and len(week.processes) == 2:
            week.kill(week.chance.choice(week.processes))
        week.bury()
        if said.outage:
            continue
        week.settle()
        week.calm()
    return played


def each_step(week: Week, script: Sequence[Said]) -> list[tuple[Said, str]]:
    """Play a script again for each step at which no bot has died yet, with a bot that is bound to.

    Args:
        week: the Slack and its bots.
        script: questions that take all steps.
    """
    played = []
    while week.points or week._armed:
        for process in [*week.processes]:
            week.kill(process)
        week.arm()
        count = week.kills
        played += play(week, script, kill_every=1000)
        assert week.kills > count, "a step was not taken"
    return played
