"""Parses questions: language, releases, intent, terms, and what a follow-up leaves implicit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from assistant.query.answer_type import asks_version_of
from assistant.query.followup import asked_anew
from assistant.query.question_language import question_language
from assistant.query.release_scope import ReleaseScope, find_releases
from assistant.query.slots import slots
from corpus.glossary import Glossary, Term
from corpus.hardware import explained
from ingest.document import Language
from ingest.language import HAN
from ingest.release import Release
from ingest.segment import simplify
from ingest.status import SAID, Status

Intent = Literal[
    "fact", "definition", "howto", "list", "compare", "since", "number", "yesno", "breaking", "deprecation"
]

_RELEASE = r"(?<![\d.])[12]\.\d{1,2}(?!\d)"
# The first pattern that matches wins, so the more specific ones come first.
_INTENTS: tuple[tuple[Intent, str], ...] = (
    (
        "since",
        r"\bsince (?:when|which|what)\b|\b(?:which|what) (?:pytorch )?(?:release|version)\b|\bwhen (?:did|was|were|has)\b"
        r"|(?:哪|那|什么)一?个?(?:版本?|发行版)|哪一?版|什么时候|何时|几点几",
    ),
    (
        "compare",
        r"\bcompar|\bversus\b|\bvs\.?\b|\bdiffers?\b|\bdifferences?\b|\b(?:each|both)\b.*\d\.\d|对比|区别|差别|走到哪"
        r"|changed? between|evol"
        # Of one release these words compare nothing: "two versions of the weights, 各自 ...".
        rf"|^(?=.*{_RELEASE}.*{_RELEASE}).*(?:\bdifferent|比较|不同|各自|分别|变化)",
    ),
    (
        "number",
        r"\bhow (?:much|many|fast|large|big|often|long)\b|\bby (?:what|how)\b|\bwhat (?:factor|percent\w*|fraction|speed-?up|version)\b"
        r"|\b(?:largest|smallest|maximum|minimum|at least)\b|多少|几(?:倍|成|个|种|项|位|层|张)|多大|多快|多久|多新|至少|最多|最大|最小|百分之|第几",
    ),
    (
        "list",
        r"\b(?:which|what) (?:\w+ ){0,3}(?:features|items|things|values|options|kernels|libraries|platforms|quantizers|apis|ops|operators"
        r"|changes|settings|backends|types|versions|parts|ones)\b|\blist\b|\bwhat are\b|哪些|有哪几|都有|都动了|哪几|列出|列举",
    ),
    (
        "breaking",
        r"\bbreak|\bstopped working|\bno longer\b|\bfails?\b|\berrors? out\b|\bmigrat|\bupgrad|不兼容|升级|升到|迁移|报错|失效|坏了"
        r"|用不了|不能用了|不起来",
    ),
    (
        "deprecation",
        r"\bdeprecat|\bremoved?\b|\bdropp?ed\b|\bend of|弃用|废弃|移除|淘汰|还能用|还支持|不再支持",
    ),
    (
        "definition",
        r"^(?:what(?:'s| is| are)|explain|tell me about|describe)\b|什么是|是什么|是啥|干什么的|干嘛的|什么意思|介绍一下",
    ),
    (
        "howto",
        r"\bhow (?:do|can|to|should|could)\b|\bwhat (?:do|should|can) i\b|怎么|怎样|如何|咋|哪行|哪个(?:变量|参数|接口|函数|开关|选项|类)|什么(?:变量|参数|类|接口|函数)",
    ),
    (
        "yesno",
        r"^(?:so |and |but )?(?:is|are|was|were|do|does|did|can|could|will|would|has|have|should)\b|吗[？?。]?$|是否|能不能|可不可以|有没有|行不行"
        r"|支不支持|是不是",
    ),
)
_STATUS_ASKED: tuple[tuple[Status, str], ...] = (
    *(SAID | {"stable": rf"{SAID['stable']}|正式版"}).items(),
    (
        "breaking",
        r"\bbreaking\b|\b(?:what|will|would|might|may|could)(?: \w+)? breaks?\b|\bbackwards?[- ]incompatible|不兼容|升级.{0,12}(?:注意|影响|改什么|坏)",
    ),
    ("performance", r"\bperformance (?:improvements?|items)|性能(?:改进|优化|提升)"),
)
_BACKWARD = re.compile(
    r"\b(?:it|its|that|this|those|these|they|them|the same|the former|the latter)\b|(?:^|[^其])它|^(?:那|这)|这个|那个|这块|那块|该(?:功能|特性|版本)|呢[？?]?$"
    r"|\b(?:the|which|that|this|another|an?)(?: [\w-]+){0,2} ones?\b(?! (?:of|that|which|who|with|from|in)\b)"
    r"|^(?:compared (?:to|with)|versus|vs)\b|^[和跟与比][^和跟与比]{1,16}$"
    r"|另一?个|另外(?:那|一)个|哪(?:一?个|种)(?=更|比较|最?[快好省慢新稳])|前者|后者"
    r"|(?:旧|老|原来|以前|之前|原先|默认)的(?=[?。!,]|$|怎|那|呢|吗)"
    r"|\bthe (?:next|previous|following) |^(?:and|so|then)\b|^(?:what|how) about|\b(?:too|also|either)\b|上一?版|下一?版|^(?:也|还|同样)|也(?:行|可以|能|支持|是|有)",
    re.I,
)
_WORD = re.compile(r"[^\W_]")
#: Words used to ask, which do not name the subject.
_ONLY_ASKING = re.compile(
    r"\b(?:how|what|why|when|where|which|who|do|does|did|is|are|was|can|could|should|would|i|you|we|me|us|to|an?|the|of|for|in|on|with"
    r"|use|used|using|enable|turn|try|give|show|see|tell|some|any|more|example|examples|sample|code|snippet|details?|please|exactly"
    r"|much|many|fast|faster|mean|work|works|about|yes|no|ok|thanks)\b"
    r"|怎么|怎样|如何|咋|什么|为什么|为啥|哪|多少|几|用法|使用|用|做|写|开|启用|打开|给|来|举|看|说|讲|个|一|下|些|点|段|例子|示例|代码|具体|详细|步骤"
    r"|细节|更多|请|吗|呢|吧|啊|的|了|是|有|没有|能|可以|要|我|你|快|慢|意思|好处|原因",
    re.I,
)
#: Words of a question so short that it depends on the one before it: of one that names something, and of any other.
_SHORT, _BRIEF = 3, 10
_BOTH = "昇"  # traditional, but also used in simplified text: 昇腾, the Ascend processors
_HAN = re.compile(f"[{HAN}]")
_LATIN_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed question.

    Attributes:
        text: the question as typed.
        clean: the question normalized: full-width and traditional characters folded. If a follow-up only
            brings a new value ("and in 2.6?"), the previous question with that value.
        language: language of the question and its answer.
        intent: kind of answer it asks for.
        scope: releases it is about.
        statuses: statuses it asks about ("prototype features of 2.5").
        terms: glossary terms it names, followed by those carried over from earlier questions.
        standalone: the question prefixed by the earlier ones it depends on; otherwise equal to `clean`.
    """

    text: str
    clean: str
    language: Language
    intent: Intent
    scope: ReleaseScope
    statuses: tuple[Status, ...]
    terms: tuple[Term, ...]
    standalone: str

    @property
    def releases(self) -> tuple[Release, ...]:
        """Releases to search; empty means all."""
        return self.scope.releases

    @property
    def searched(self) -> str:
        """The standalone question with what notes call the devices that it names."""
        return explained(self.standalone)

    @property
    def has_words(self) -> bool:
        """Whether the text contains a letter, a Chinese character or a digit."""
        return has_words(self.text)


def has_words(text: str) -> bool:
    """Check whether a text contains a letter, a Chinese character or a digit.

    Args:
        text: any text.
    """
    return _WORD.search(text) is not None


def understand(
    text: str,
    history: Sequence[str],
    *,
    known: Collection[Release],
    glossary: Glossary,
    leans: bool | None = None,
) -> Question:
    """Parse a question in the context of earlier ones.

    Args:
        text: the question as typed.
        history: earlier questions of the conversation, oldest first.
        known: releases that documents are about.
        glossary: terms and their names.
        leans: whether the question depends on the earlier ones; None decides by its words.
    """
    clean = _read(text)
    earlier: tuple[Release, ...] = ()
    earlier_terms: tuple[Term, ...] = ()
    topic = aspect = ""
    for past in map(_read, history):
        scope = find_releases(past, known, before=earlier)
        past_terms = glossary.find(past)
        earlier = scope.releases or earlier
        anew = _anew(f"{topic} {aspect}".strip(), past, known, glossary)
        if anew:
            topic, scope, past_terms = anew, find_releases(anew, known), glossary.find(anew)
            earlier, earlier_terms = scope.releases or earlier, past_terms or earlier_terms
            aspect = ""
            continue
        # A follow-up that names something extends the topic, one that names nothing asks about an aspect of it.
        # Any other question replaces both.
        named = _names(past, scope, glossary)
        if not _leans(past, past_terms, bool(topic), named):
            topic, aspect = past, ""
        elif named:
            topic = f"{topic} {past}"
        else:
            aspect = past
        earlier_terms = past_terms or earlier_terms
    anew = _anew(f"{topic} {aspect}".strip(), clean, known, glossary)
    if anew:
        alone = understand(anew, (), known=known, glossary=glossary)
        return replace(alone, text=text, language=question_language(clean))
    scope = find_releases(clean, known, before=earlier)
    terms = glossary.find(clean)
    standalone = clean
    intent, statuses = _intent(clean), _statuses(clean)
    named = _names(clean, scope, glossary)
    if topic and (_leans(clean, terms, bool(topic), named) if leans is None else leans):
        # "and on Windows?" keeps the aspect, "and why?" brings its own.
        only_names = named and _length(clean) <= _SHORT
        standalone = " ".join(filter(None, (topic, aspect if only_names else "", clean)))
        terms = tuple({t.id: t for t in (*terms, *earlier_terms)}.values())
        statuses = statuses or _statuses(topic)
        if intent == "fact" and _length(clean) <= _SHORT:  # "and in 2.6?" has the intent of the topic
            intent = _intent(topic)
        if not scope.releases and intent != "since":  # "since when" concerns all releases
            scope = ReleaseScope((), earlier, tuple(r for r in earlier if r not in known))
    return Question(
        text=text,
        clean=clean,
        language=question_language(clean),
        intent=intent,
        scope=scope,
        statuses=statuses,
        terms=terms,
        standalone=standalone,
    )


def _anew(topic: str, text: str, known: Collection[Release], glossary: Glossary) -> str:
    """Return the previous question with the follow-up's value substituted, or "" if there is none."""
    if not topic:
        return ""
    of_releases = _intent(topic) == "since"
    return asked_anew(topic, text, known=known, glossary=glossary, of_releases=of_releases)


def _read(text: str) -> str:
    """Fold full-width and traditional characters."""
    clean = unicodedata.normalize("NFKC", text).strip()
    return "".join(c if c in _BOTH else simplify(c) for c in clean) if _HAN.search(clean) else clean


def refers_back(text: str) -> bool:
    """Check whether words of a question refer to an earlier one.

    Args:
        text: the question, with full-width characters folded.
    """
    return bool(_BACKWARD.search(text))


def _leans(text: str, terms: Sequence[Term], has_topic: bool, named: bool) -> bool:
    """Check whether a question depends on earlier ones: it refers back, or is too short to stand alone."""
    if not has_topic:
        return False
    bare = not re.search(r"\w", _ONLY_ASKING.sub("", text))
    most = _SHORT if named else _BRIEF
    return refers_back(text) or bare or (_length(text) <= most and not terms)


def _names(text: str, scope: ReleaseScope, glossary: Glossary) -> bool:
    """Check whether a question names a release, a feature or a platform."""
    return bool(scope.named or slots(text, glossary))


def _length(text: str) -> float:
    """Count words; two Chinese characters count as one word."""
    return len(_LATIN_WORD.findall(text)) + len(_HAN.findall(text)) / 2


def _intent(text: str) -> Intent:
    found: Intent = next((intent for intent, words in _INTENTS if re.search(words, text, re.I)), "fact")
    # "Which NCCL version is bundled?" does not ask for a PyTorch release.
    return "number" if found == "since" and asks_version_of(text) else found


def _statuses(text: str) -> tuple[Status, ...]:
    return tuple(status for status, words in _STATUS_ASKED if re.search(words, text, re.I | re.ASCII))


def may_lean(asked: Question, history: Sequence[str], only: Sequence[Release]) -> bool:
    """Check whether a question may depend on earlier ones although none of its words refers back.

    Args:
        asked: the question, parsed with its history.
        history: earlier questions of the conversation.
        only: releases selected in addition to the question, rather than named in it.
    """
    alone = asked.standalone == asked.clean and (bool(only) or not asked.scope.named)
    return bool(history) and alone and asked.intent != "since"  # "which release" concerns all releases
