"""Message templates of answers, in Chinese and English."""

from __future__ import annotations

from ingest.document import Language
from ingest.status import Status

STATUS_NAMES: dict[Language, dict[Status, str]] = {
    "zh": {
        "stable": "稳定版（Stable）",
        "beta": "测试版（Beta）",
        "prototype": "原型（Prototype）",
        "unstable": "API 不稳定（API-Unstable）",
        "deprecated": "弃用",
        "breaking": "不兼容变更",
        "new": "新功能",
        "improvement": "改进",
        "performance": "性能",
        "bug-fix": "缺陷修复",
        "regression": "已知问题",
        "documentation": "文档",
        "developers": "面向开发者",
        "platform": "平台",
        "": "",
    },
    "en": {
        "stable": "Stable",
        "beta": "Beta",
        "prototype": "Prototype",
        "unstable": "API-Unstable",
        "deprecated": "Deprecated",
        "breaking": "Breaking change",
        "new": "New feature",
        "improvement": "Improvement",
        "performance": "Performance",
        "bug-fix": "Bug fix",
        "regression": "Known issue",
        "documentation": "Documentation",
        "developers": "For developers",
        "platform": "Platform",
        "": "",
    },
}
#: Whom breaking changes hit, those that hit most first.
EFFECTS: dict[Language, tuple[str, ...]] = {
    "zh": ("平台与安装", "默认行为变了", "Python 接口：移除或不再兼容", "C++ 与构建", "其他"),
    "en": (
        "Platforms and installation",
        "Changed defaults",
        "Python: removed or incompatible",
        "C++ and builds",
        "Other",
    ),
}
FOREIGN_NOTES: dict[Language, str] = {
    "zh": "相关内容只有英文发布说明，下面照引原文。",
    "en": "The notes on this are in Chinese. These are the names and figures of each sentence, in its order; "
    "the sentence itself stands under its source.",
}
COMPARISON_HEAD: dict[Language, tuple[str, str, str]] = {
    "zh": ("PyTorch", "状态", "发布说明的内容"),
    "en": ("PyTorch", "Status", "What the notes say"),
}
NAMES_KEPT = "以下出自发布说明，接口名和代码保持原样。"
TERMS_HEAD = "文中术语："
DECLINED: dict[Language, str] = {
    "zh": "发布说明里没有找到这个问题的答案。已检索：{searched}。",
    "en": "The release notes do not answer this. Searched: {searched}.",
}
UNKNOWN_RELEASE: dict[Language, str] = {
    "zh": "索引里没有 PyTorch {unknown} 的文档。",
    "en": "No document in the index is about PyTorch {unknown}.",
}
UP_TO: dict[Language, str] = {
    "zh": "索引里的发布说明截至 PyTorch {newest}；`torchnotes sync` 可获取后续版本的说明。",
    "en": "The notes in the index go up to PyTorch {newest}; `torchnotes sync` gets those of newer releases.",
}
UNMENTIONED: dict[Language, str] = {
    "zh": "{asked} 的发布说明没有提到 {name}；提到它的是 {told}。",
    "en": "The notes of {asked} do not mention {name}; those of {told} do.",
}
UNHEARD: dict[Language, str] = {
    "zh": "索引里的发布说明（截至 {latest}）没有提到 {name}。",
    "en": "The notes in the index, up to {latest}, do not mention {name}.",
}
#: Replaces `UNHEARD` if no document in the index names a release.
UNHEARD_UNDATED: dict[Language, str] = {
    "zh": "索引里的文档没有提到 {name}。",
    "en": "The documents in the index do not mention {name}.",
}
OFF_SUBJECT: dict[Language, str] = {
    "zh": "这个我帮不上忙：我只根据 PyTorch 的发布说明回答。可以问：某个版本有哪些变化，"
    "某个功能从哪个版本开始支持，升级后的报错怎么处理。",
    "en": "I cannot help with that: I answer from the release notes of PyTorch only. Ask what a release "
    "changed, since when a feature exists, or how to mend an error after an upgrade.",
}
#: Replies to turns that ask nothing of the notes, by act.
SMALL_TALK: dict[Language, dict[str, str]] = {
    "zh": {
        "greeting": "你好！我根据 PyTorch 的发布说明回答问题，每句话都有出处。"
        "可以这样问：2.4 的 torch.compile 有什么新功能？",
        "thanks": "不客气！还想查什么，接着问就行。",
        "acknowledgement": "好的，还想知道什么，接着问就行。",
        "goodbye": "再见！下次升级 PyTorch 之前，欢迎再来查。",
        "identity": "我是 torchnotes，一个查 PyTorch 发布说明的程序，不是真人。"
        "回答都出自发布说明，每句话都有出处；说明里没写的，我会直说。",
        "help": """我根据 PyTorch 的发布说明回答，每句话都有出处。可以问：
- 某个版本有什么变化：PyTorch 2.6 弃用了哪些功能？
- 某个功能的来历和用法：FlexAttention 怎么用？
- 升级要注意什么：从 2.6 升级到 2.8 有哪些不兼容的改动？
- 升级后的报错：把报错贴过来

有了回答以后，还可以说：简短点、详细点、给个代码、确定吗、出处呢、用英文回答。""",
        "unclear": "抱歉没讲明白。可以说“简短点”只看要点，说“给个代码”看例子，"
        "或者直接问不懂的词，比如：什么是 graph break？",
    },
    "en": {
        "greeting": "Hello! I answer questions from the PyTorch release notes, every sentence with its "
        "source. Ask me, for example: what is new in torch.compile in 2.4?",
        "thanks": "You are welcome! Just ask on if you want to look up something else.",
        "acknowledgement": "Good. Just ask on if you want to know more.",
        "goodbye": "Goodbye! Come back before your next PyTorch upgrade.",
        "identity": "I am torchnotes, a program that looks things up in the PyTorch release notes, and no "
        "person. What I tell comes from the notes, every sentence with its source; where they are silent "
        "I say so.",
        "help": """I answer from the PyTorch release notes, every sentence with its source. Ask me about:
- what a release changed: what was deprecated in PyTorch 2.6?
- a feature, its history and its use: how do I use FlexAttention?
- an upgrade: what breaks when I go from 2.6 to 2.8?
- an error after an upgrade: paste it

After an answer, say also: shorter, more details, show me code, are you sure, source, in Chinese.""",
        "unclear": "Sorry, that was not clear. Say “shorter” for the main points, “show me code” for an "
        "example, or ask about a word, such as: what is a graph break?",
    },
}
NO_ANSWER_YET: dict[Language, str] = {
    "zh": "前面还没有回答过问题。先问一个吧，比如：2.4 的 torch.compile 有什么新功能？",
    "en": "There is no answer yet that this could be about. Ask something first, such as: what is new in "
    "torch.compile in 2.4?",
}
#: Replaces an answer in another form if the question before was declined.
NOTHING_TOLD: dict[Language, str] = {
    "zh": "发布说明没有回答上一个问题，所以没有可以这样处理的内容。"
    "换个说法，或者写明版本和功能名，再问一次试试。",
    "en": "The notes did not answer the question before, so there is nothing to show. Ask it in other words, "
    "or name the release and the feature.",
}
SOURCES_TOLD: dict[Language, str] = {"zh": "上一个回答的来源：", "en": "Sources of the last answer:"}
PROOF_TOLD: dict[Language, str] = {
    "zh": "发布说明里的原句是这样写的：",
    "en": "This is what the notes say, word for word:",
}
LOOKED_AGAIN: dict[Language, str] = {
    "zh": "又查了一遍，结果一样。",
    "en": "I looked again, with the same result.",
}
NO_CODE: dict[Language, str] = {
    "zh": "上一个回答引用的章节里没有代码。",
    "en": "The sections that the last answer cites show no code.",
}
CHECK_OFFERED: dict[Language, str] = {
    "zh": "不过有一个程序可以在本机验证它的说法：`torchnotes check {check}`。",
    "en": "A program that tests their claim on your machine ships, though: `torchnotes check {check}`.",
}
ALL_TOLD: dict[Language, str] = {
    "zh": "引用的章节里没有更多内容了。想看别的，可以问具体一点，比如怎么启用、有什么限制。",
    "en": "The sections cited say no more than that. Ask about a part of it, such as how to enable it "
    "or its limits.",
}
#: What answers a yes/no question with yes and with no.
VERDICTS: dict[Language, tuple[str, str]] = {"zh": ("是的", "不是"), "en": ("Yes", "No")}
#: Chinese verdicts repeat the verb: of each pattern of a question yes and no.
VERDICTS_BY_VERB: tuple[tuple[str, str, str], ...] = (
    (
        r"能[不否]|(?<![功性智可])能(?!力|源).*[吗么]|可以.*[吗么]|可不可以|可否|(?<![运进执并流])行[不吗么]",
        "能",
        "不能",
    ),
    (r"有没有|有无", "有", "没有"),
    (r"支不支持|支持.{0,30}[吗么]|是否支持", "支持", "不支持"),
    (r"[了过][吗么没]", "是的", "还没有"),
)
VERDICT_LEAD: dict[Language, str] = {"zh": "{verdict}（{where}）：", "en": "{verdict} ({where}):"}
VERDICT_LEAD_UNDATED: dict[Language, str] = {"zh": "{verdict}：", "en": "{verdict}:"}
#: Verdicts that a history decides, without and with a status.
VERDICT_SINCE: dict[Language, tuple[str, str]] = {
    "zh": ("{verdict}，始于 PyTorch {release}：", "{verdict}，PyTorch {release} 起为{status}："),
    "en": ("{verdict}, since PyTorch {release}:", "{verdict}, {status} since PyTorch {release}:"),
}
LEFT_OUT: dict[Language, str] = {"zh": "其余 {count} 条从略。", "en": "{count} more are left out."}
NO_WORDS: dict[Language, str] = {
    "zh": "没有看到问题：请用文字提问，比如“2.4 的 torch.compile 有什么新功能？”",
    "en": "There is nothing to answer here: ask in words, such as: what is new in torch.compile in 2.4?",
}
NEAREST: dict[Language, str] = {"zh": "最接近的内容：", "en": "Nearest sections:"}
NOTHING: dict[Language, str] = {"zh": "无（索引里没有任何文档）", "en": "no document at all"}
UNDATED: dict[Language, str] = {"zh": "没有标明版本的文档", "en": "documents that name no release"}
LIFE: dict[Language, str] = {
    "zh": "{name}：在发布说明里的状态（截至 {latest}）",
    "en": "{name}: its status in the notes up to {latest}",
}
LIFE_STEP: dict[Language, str] = {
    "zh": "{release}（{date}），{status}：",
    "en": "{release} ({date}), {status}: ",
}
LIFE_STEP_UNDATED: dict[Language, str] = {"zh": "{release}，{status}：", "en": "{release}, {status}: "}
OF_A_PART: dict[Language, str] = {"zh": "{status}，仅其中一部分", "en": "{status}, a part of it"}
CHANGED: dict[Language, str] = {"zh": "{status}，此前为{before}", "en": "{status}, was {before}"}
#: Behind sentences of a language model that the notes do not confirm, where citation marks would be.
UNCONFIRMED_MARK = "[?]"
ADVICE_MARK: dict[Language, str] = {"zh": "[建议]", "en": "[advice]"}
MODEL_UNCONFIRMED: dict[Language, str] = {
    "zh": "标有 {marks} 的 {count} 句是模型自己的话，发布说明未能证实。",
    "en": "Marked {marks} are the model's own words, which the notes do not confirm: {count}.",
}
MODEL_FAILED: dict[Language, str] = {
    "zh": "语言模型没有写出答案，下面逐句摘自发布说明。原因：{reason}",
    "en": "The language model wrote no answer; these are the sentences of the notes. Reason: {reason}",
}
MODEL_CONTRADICTED: dict[Language, str] = {
    "zh": "语言模型的草稿大半与发布说明不符，没有采用，下面逐句摘自发布说明。",
    "en": "The notes contradict most of the language model's draft, which is not shown; these are the "
    "sentences of the notes.",
}
#: Replaces `MODEL_CONTRADICTED` if only proved sentences may be shown, and there are none.
MODEL_UNPROVED: dict[Language, str] = {
    "zh": "语言模型的草稿没有一句得到证实，没有采用，下面逐句摘自发布说明。",
    "en": "No sentence of the language model's draft was proved, and none is shown; these are the "
    "sentences of the notes.",
}
#: Before the sentences of the notes, below a draft of which none is proved.
NOTES_SAY: dict[Language, str] = {"zh": "发布说明的原句：", "en": "In the words of the notes:"}
MODEL_SILENT: dict[Language, str] = {
    "zh": "语言模型在检索到的内容里没有找到答案，下面是发布说明中最接近的句子。",
    "en": "The language model found no answer in the passages; these are the nearest sentences of the notes.",
}
MODEL_DROPPED: dict[Language, str] = {
    "zh": "语言模型写的句子里有 {count} 句与发布说明不符，已略去。",
    "en": "Sentences of the language model that the notes contradict and that are left out: {count}.",
}
#: Replaces `MODEL_DROPPED` if only proved sentences may be shown.
MODEL_DROPPED_STRICT: dict[Language, str] = {
    "zh": "语言模型写的句子里有 {count} 句没有得到证实，已略去。",
    "en": "Sentences of the language model that were not proved and are left out: {count}.",
}
MODEL_PROPOSED_NONE: dict[Language, str] = {
    "zh": "语言模型没有提出可以验证的说法。原因：{reason}",
    "en": "The language model proposed no check. Reason: {reason}",
}
UPGRADE_TITLE: dict[Language, str] = {
    "zh": "PyTorch {older} → {newer}：有哪些变化",
    "en": "PyTorch {older} → {newer}: what changes",
}
UPGRADE_NOTES: dict[Language, str] = {
    "zh": "摘自索引里 PyTorch {releases} 的发布说明，均为原句。",
    "en": "From the notes of PyTorch {releases} in the index, in their own words.",
}
#: Titles of the groups of changes between two releases, in display order.
UPGRADE_GROUPS: dict[Language, dict[str, str]] = {
    "zh": {
        "breaking": "不兼容变更",
        "deprecated": "弃用",
        "changed": "状态变化",
        "new": "新功能",
        "additions": "其他新增",
    },
    "en": {
        "breaking": "Breaking changes",
        "deprecated": "Deprecations",
        "changed": "Changes of status",
        "new": "New features",
        "additions": "Other additions",
    },
}
UPGRADE_NONE: dict[Language, str] = {
    "zh": "索引里的发布说明没有这类内容。",
    "en": "The notes in the index name none.",
}
