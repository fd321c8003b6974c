"""What people say in a week: questions to the bot, and much that is none of its business."""

from __future__ import annotations

from typing import Final

from tests.ui.slack.server import ANN, BOB, CHANNEL, DM
from tests.ui.slack.week_people import Said

TAGS, ALL = "C2", "C3"  # channels where it speaks when mentioned only, and to all questions
MODES = f"threads, {TAGS}=mentions, {ALL}=questions"
SILENT: Final = "silence"


def left_alone(thread: str, *texts: str, channel: str = CHANNEL) -> list[Said]:
    """Messages of two people by turns that the bot leaves alone."""
    return [
        Said(text, SILENT, thread=thread, user=(BOB, ANN)[number % 2], channel=channel)
        for number, text in enumerate(texts)
    ]


MONDAY = [
    Said("morning all :wave:", SILENT),
    Said("@bot hi", "reply"),
    Said("@bot What is the default backend of TCPStore in 2.4?", opens="store", holds="libuv"),
    *left_alone(
        "store", "lol", "thanks! :tada:", f"hey <@{BOB}> can you look at this?", "nice, that explains it"
    ),
    Said("And how do I go back to the old one?", thread="store", user=BOB, holds="USE_LIBUV=0"),
    *left_alone("store", "ok will try after lunch", "Shall we go for lunch?", "did you try turning it off?"),
    Said("and is FSDP2 a prototype in 2.4?", thread="store", holds="FSDP2"),
    *left_alone("store", "could you review my PR first?", "好的谢谢", "who is on call today?"),
    Said("lunch?", SILENT, opens="lunch"),
    *left_alone("lunch", "Italian?", "Or Thai?", "is 2.4 out yet?", "what about the new place?"),
]
TUESDAY = [
    Said("We see TCPStore slow at 4k ranks", SILENT, opens="slow"),
    *left_alone("slow", "which version?", "2.3", "that is old"),
    Said("@bot would upgrading to 2.4 help here?", thread="slow", user=BOB, holds="TCPStore"),
    *left_alone("slow", "great find", "we will upgrade then", f"<@{ANN}> shall we do it today?"),
    Said("FlexAttention 是哪个版本加入的？", channel=DM, holds="2.5"),
    Said("那 FSDP2 呢？", channel=DM, holds="FSDP2"),
    Said("谢谢！", "reply", channel=DM),
    Said("help", "reply", channel=DM),
    Said("who are you?", "reply", channel=DM),
    Said("What is the default backend of TCPStore in 2.4?", channel=DM, soon=True, holds="libuv"),
    Said("and is FSDP2 a prototype there?", channel=DM, holds="FSDP2"),
    Said("Is FSDP2 in 2.4?", SILENT),
    Said("from another bot: what is new in 2.4?", SILENT, more={"bot_id": "B9"}),
    Said("has joined the channel", SILENT, more={"subtype": "channel_join"}),
]
WEDNESDAY = [
    Said("@bot Is FSDP2 a prototype in 2.4?", opens="fsdp", soon=True, holds="FSDP2"),
    Said("and what is it built on?", thread="fsdp", user=BOB, soon=True, holds="DTensor"),
    Said("what is the default backend of TCPStore in 2.4?", thread="fsdp", holds="libuv"),
    *left_alone(
        "fsdp", "haha", "+1", "makes sense", "I told you so", "can we ship on Friday?", "你看到了吗？"
    ),
    Said(
        "@bot how do I register a custom operator in 2.4?",
        edits="how do I register a custom operator in 2.4?",
        holds="custom_op",
    ),
    Said("@bot is TCPStore faster in 2.4?", edits="@bot is TCPStroe faster in 2.4?", holds="libuv"),
    Said("@bot and is FSDP2 in 2.4?", edits="and is FSDP2 in 2.4?", thread="fsdp", holds="FSDP2"),
    Said("@bot is FSDP2 in 2.4?", edits="lol", thread="fsdp", user=BOB, holds="FSDP2"),
    Said("haha, indeed", SILENT, edits="haha", thread="fsdp"),
    Said("what is the weather like?", SILENT, thread="fsdp"),
    Said("Is FSDP2 in 2.4?", SILENT, channel=TAGS),
    Said("@bot Is FSDP2 in 2.4?", channel=TAGS, opens="tags", holds="FSDP2"),
    *left_alone("tags", "and TCPStore in 2.4?", "thanks", channel=TAGS),
    Said("@bot and TCPStore in 2.4?", thread="tags", channel=TAGS, holds="libuv"),
]
THURSDAY = [
    Said("What is the default backend of TCPStore in 2.4?", channel=ALL, opens="all", holds="libuv"),
    *left_alone("all", "cool", "thanks a lot :pray:", channel=ALL),
    *left_alone("", "anyone up for coffee?", "is the build green?", "what do you think?", channel=ALL),
    Said("FSDP2 在 2.4 里是什么状态？", channel=ALL, holds="FSDP2"),
    Said("and in 2.4 how do I go back to the old backend?", thread="all", channel=ALL, holds="USE_LIBUV=0"),
    Said("@bot", "reply", more={"thread_ts": ""}, channel=TAGS, user=BOB, opens="empty"),
    Said("@bot stop", "reply", thread="store"),
    *left_alone("store", "and is FSDP2 in 2.4?", "is TCPStore faster in 2.4?"),
    Said("@bot is TCPStore faster in 2.4?", thread="store", holds="libuv"),
    Said("and is FSDP2 in 2.4?", thread="store", holds="FSDP2"),
]
#: Slack takes no request: what is written now is answered when it is back.
OUTAGE = [
    Said("@bot What is the default backend of TCPStore in 2.4?", outage=True, opens="out", holds="libuv"),
    Said("is Slack slow for you too?", SILENT, outage=True, thread="out", user=BOB),
    Said("Is FSDP2 a prototype in 2.4?", outage=True, channel=DM, holds="FSDP2"),
    Said("and is FSDP2 a prototype there?", outage=True, thread="out", user=BOB, holds="FSDP2"),
    Said("@bot is FSDP2 in 2.4?", edits="is FSDP2 in 2.4?", outage=True, holds="FSDP2"),
    Said("back again :tada:", SILENT, thread="out"),
]
FILES = [
    Said("Training hangs since Monday", SILENT, opens="files", files=("loss.png",)),
    *left_alone("files", "which version?", "2.4, on 4k ranks", "```\nstore = TCPStore(host)\n```", "ouch"),
    Said("@bot what is this?", thread="files", files=("train.log", "loss.png"), holds="Left out loss.png"),
    *left_alone("files", "ah, the store", f"<@{ANN}> did 2.3 do that too?", "no", "coffee?"),
]
FRIDAY = [
    Said("@bot thanks", "reply", thread="fsdp"),
    Said("my own words", SILENT, thread="fsdp", user="USLACKBOT"),
    *left_alone(
        "fsdp", "see you on Monday", "bye :wave:", "have a good weekend, everybody!", "辛苦了", "周末愉快"
    ),
    Said("@bot what is new in 2.4?", opens="new", user=BOB),
    *left_alone(
        "new", "wow", "long list", "reading it now", f"<@{BOB}> is FSDP2 in 2.4 what we need?", "no idea"
    ),
    Said("@bot 2.4 的 TCPStore 默认后端是什么？", holds="libuv"),
    Said("Is FSDP2 a prototype in 2.4?", channel=DM, holds="FSDP2"),
    Said("good evening", "reply", channel=DM),
]
SCRIPT = [*MONDAY, *TUESDAY, *WEDNESDAY, *THURSDAY, *OUTAGE, *FILES, *FRIDAY]
#: Questions that take all steps at which a bot may die.
ALL_STEPS = [
    Said("@bot is FSDP2 in 2.4?", opens="step", holds="FSDP2"),
    Said("@bot and TCPStore in 2.4?", thread="step", holds="libuv"),
    Said("Is FSDP2 a prototype in 2.4?", channel=DM, holds="FSDP2"),
]
