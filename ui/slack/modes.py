"""When the bot speaks in a channel without being mentioned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from ui.slack.addressed import asks
from ui.slack.incoming import IncomingQuestion
from ui.slack.remarks import remark

#: Mentions only; also questions in the bot's threads; also all questions about releases in the channel.
Mode = Literal["mentions", "threads", "questions"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class ChannelModes:
    """The mode of each channel.

    Attributes:
        default: mode of the channels that are not listed.
        channels: modes by the channel's id.
    """

    default: Mode = "threads"
    channels: Mapping[str, Mode] = field(default_factory=dict)

    @classmethod
    def parse(cls, given: Mapping[str, str]) -> ChannelModes:
        """Create modes from settings.

        Args:
            given: modes by the channel's id, "" for the default; validated before.
        """
        modes = {channel: next(mode for mode in MODES if mode == name) for channel, name in given.items()}
        return cls(modes.pop("", "threads"), modes)

    def considers(self, asked: IncomingQuestion) -> bool:
        """Return whether a message may be for the bot, by its form alone.

        Args:
            asked: the message.
        """
        if asked.mentioned:
            return True
        mode = self.channels.get(asked.place.channel, self.default)
        in_thread = asked.thread != asked.at
        if asked.others or mode == "mentions" or not (in_thread or mode == "questions"):
            return False
        return asks(asked.text) or (in_thread and remark(asked.text) == "stop")

    def answers_all(self, channel: str) -> bool:
        """Return whether all questions about releases are answered in a channel.

        Args:
            channel: id of the channel.
        """
        return self.channels.get(channel, self.default) == "questions"
