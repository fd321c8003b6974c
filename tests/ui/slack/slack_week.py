"""People in a Slack with two bots that are killed now and then, and what they must see at the end."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, Literal

from websockets.exceptions import ConnectionClosed

from tests.ui.slack.bot_process import context, run
from tests.ui.slack.server import ANN, BOT, CHANNEL, PATIENCE, FakeSlack
from ui.slack import bot_messages as words
from ui.slack.state import State

#: A question that is answered, a remark that has a short reply, or what is left alone.
Expects = Literal["answer", "reply", "silence"]
_RESENT = 1.0  # seconds after which Slack sends again what is not acknowledged


@dataclass(frozen=True, slots=True)
class Said:
    """What a person writes.

    Attributes:
        text: with "@bot" for a mention of the bot.
        expects: what the bot does.
        thread: name of the thread; "" for a message of its own.
        opens: name of the thread that it opens.
        user: who writes.
        channel: where.
        edits: text of the message before it is edited to `text`; "" if it is not.
        more: further fields of the event.
        holds: words that the answer has.
        soon: the next message comes before this one is answered.
    """

    text: str
    expects: Expects = "answer"
    thread: str = ""
    opens: str = ""
    user: str = ANN
    channel: str = CHANNEL
    edits: str = ""
    more: dict[str, Any] = field(default_factory=dict)
    holds: str = ""
    soon: bool = False


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
    kills: int = 0
    faults: int = 0

    def start(self, kill_at: int | None = None) -> ForkServerProcess:
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
        """Wait until the bots have done all that they took."""
        jobs = State(self.state).jobs
        tick = threading.Event()
        for _ in range(int(PATIENCE / 0.05)):
            if not jobs.workers():
                return
            tick.wait(0.05)
        raise AssertionError("something is never done")

    def disturb(self) -> None:
        """Break some of the next requests."""
        for method in ("chat.postMessage", "chat.update", "conversations.replies", "conversations.history"):
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
        self.slack.faults.clear()

    def _send(self, name: str, event: dict[str, Any]) -> dict[str, str]:
        """Send an event to one of the bots; its envelope, none where that bot has just died."""
        if not any(process.is_alive() for process in self.processes):
            self.start()  # both have come to the step at which they die
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
        kill_every: number of messages after which a bot is killed, at one of its steps.
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
            week.disturb()
        dies = number % kill_every == 0
        if dies:
            week.kill(week.processes[0])
            week.start(kill_at=week.chance.randrange(4, 30))
        week.deliver(*held)
        held = []
        if dies and week.processes[-1].is_alive() and week.chance.random() < 0.5:
            week.kill(week.chance.choice(week.processes))
        dead = [process for process in week.processes if not process.is_alive()]
        week.kills += len(dead)
        week.processes[:] = [process for process in week.processes if process not in dead]
        while len(week.processes) < 2:
            week.start()
        week.settle()
        week.calm()
    return played


def say(slack: FakeSlack, said: Said, thread: str) -> dict[str, Any]:
    """Write a message; its event."""
    text = said.text.replace("@bot", f"<@{BOT}>")
    return slack.says(text, user=said.user, channel=said.channel, thread=thread, **said.more)


def events_of(slack: FakeSlack, said: Said, event: dict[str, Any]) -> list[dict[str, Any]]:
    """The events that Slack sends for a message."""
    if said.edits:
        first = {**event, "text": said.edits}
        place = {name: event[name] for name in ("channel", "channel_type")}
        change = {
            "type": "message",
            "subtype": "message_changed",
            "hidden": True,
            "ts": slack.stamp(),
            **place,
        }
        return [first, {**change, "message": {**event, "edited": {"user": said.user, "ts": "1"}}}]
    if BOT in event["text"]:
        return [event, {**event, "type": "app_mention"}]
    return [event]


def check(slack: FakeSlack, played: Sequence[tuple[Said, str]]) -> None:
    """Check that each question has one answer, each remark one reply, and nothing else was posted."""
    messages = [message for channel in slack.channels.values() for message in channel]
    own = [message for message in messages if message["user"] == BOT]
    waiting = {*words.THINKING.values(), *words.QUEUED.values()}
    assert [message["text"] for message in own if message["text"] in waiting] == []
    answered: dict[str, list[dict[str, Any]]] = {}
    for message in own:
        name = str(message["blocks"][0].get("block_id", ""))
        if name.startswith("torchnotes-"):
            answered.setdefault(name.split("-")[1], []).append(message)
    wrong = [
        (said.text, len(answered.get(at, ())))
        for said, at in played
        if len(answered.get(at, ())) != (said.expects == "answer")
    ]
    assert wrong == [], f"not answered once, or answered although it is no question: {wrong}"
    replies = sum(said.expects == "reply" for said, _ in played)
    assert len(own) == sum(map(len, answered.values())) + replies, [message["text"] for message in own]
    missing = [
        (said.holds, answered[at][0]["text"])
        for said, at in played
        if said.holds and said.holds not in str(answered[at][0]["blocks"])
    ]
    assert missing == []
    assert slack.problems == []
