"""Labels of the explore tab in both languages."""

from __future__ import annotations

from ingest.document import Language

HISTORY_HEAD: dict[Language, str] = {"zh": "功能在各版本里的状态", "en": "Features over the releases"}
HISTORY_HINT: dict[Language, str] = {
    "zh": "每行一个功能，每个标记对应一个版本的说明。鼠标停在标记上可看原文，点击即可就此提问。",
    "en": "A row is a feature, a mark is what one release says of it. Rest on a mark to read the sentence of "
    "the notes; click it to ask in the chat.",
}
SEARCH: dict[Language, str] = {"zh": "查找功能", "en": "Find a feature"}
SEARCH_HINT: dict[Language, str] = {"zh": "例如 FlexAttention、量化", "en": "FlexAttention, quantization ..."}
STATUS: dict[Language, str] = {"zh": "出现过的状态", "en": "Status it has had"}
ANY_STATUS: dict[Language, str] = {"zh": "任意", "en": "any"}
VIEW: dict[Language, str] = {"zh": "显示", "en": "Show"}
VIEW_CHANGED: dict[Language, str] = {"zh": "状态有变化的功能", "en": "features that changed status"}
VIEW_ALL: dict[Language, str] = {"zh": "全部功能", "en": "all features"}
MORE: dict[Language, str] = {"zh": "再显示一些", "en": "Show more"}
PART: dict[Language, str] = {"zh": "空心：仅其中一部分", "en": "hollow: a part of it"}
CHART: dict[Language, str] = {
    "zh": "功能状态图：共 {count} 行，相同内容见下方表格。",
    "en": "Chart of the statuses of features, {count} rows; the table below it tells the same.",
}

COUNT_CHANGED: dict[Language, str] = {
    "zh": "{all} 个功能里有 {count} 个的状态有变化",
    "en": "{count} of {all} features changed status",
}
COUNT_ALL: dict[Language, str] = {"zh": "共 {count} 个功能", "en": "Features: {count}"}
COUNT_FOUND: dict[Language, str] = {
    "zh": "全部功能里匹配“{query}”的有 {count} 个",
    "en": "“{query}” in all features: {count} found",
}
COUNT_STATUS: dict[Language, str] = {
    "zh": "，仅含有过“{status}”状态的",
    "en": ", with status {status} at some time",
}
COUNT_SHOWN: dict[Language, str] = {"zh": "；先显示 {shown} 个", "en": "; the first {shown} are shown"}
NONE_NAMED: dict[Language, str] = {
    "zh": "发布说明里没有叫“{query}”的功能。",
    "en": "No feature in the notes is called “{query}”.",
}
NEAR: dict[Language, str] = {"zh": "名称相近的有：{names}。", "en": "Near it are: {names}."}
NONE_WITH_STATUS: dict[Language, str] = {
    "zh": "“{query}”匹配到 {names}，但没有出现过“{status}”状态；把状态改为“任意”即可看到。",
    "en": "“{query}” finds {names}, but none of it was ever {status}; choose “any” status to see it.",
}
NONE_CHANGED: dict[Language, str] = {
    "zh": "没有符合条件的功能；请改选“全部功能”或“任意”状态。",
    "en": "No feature is like that; show all features, or choose “any” status.",
}
NO_FEATURES: dict[Language, str] = {
    "zh": "索引里的文档没有写明任何功能的状态。",
    "en": "No document in the index tells the status of a feature.",
}

FEATURE: dict[Language, str] = {"zh": "功能", "en": "Feature"}
RELEASE: dict[Language, str] = {"zh": "版本", "en": "Release"}
DATE: dict[Language, str] = {"zh": "日期", "en": "Date"}
STATUS_THEN: dict[Language, str] = {"zh": "状态", "en": "Status"}
NOTES_SAY: dict[Language, str] = {"zh": "发布说明原文", "en": "The notes say"}
STEPS: dict[Language, str] = {"zh": "各版本的状态", "en": "What the releases say"}
AS_TABLE: dict[Language, str] = {"zh": "以表格显示", "en": "As a table"}
ASK_LIFE: dict[Language, str] = {
    "zh": "{name} 从哪个版本开始，状态怎么变的？",
    "en": "Since when does PyTorch have {name}, and how did its status change?",
}
ASK_STEP: dict[Language, str] = {
    "zh": "PyTorch {release} 的 {name} 是什么？",
    "en": "What is {name} in PyTorch {release}?",
}

HOLDINGS_HEAD: dict[Language, str] = {"zh": "索引里有什么", "en": "What is in the index"}
DOCUMENTS: dict[Language, str] = {"zh": "文档", "en": "Documents"}
SECTIONS: dict[Language, str] = {"zh": "小节", "en": "Sections"}
CHUNKS: dict[Language, str] = {"zh": "片段", "en": "Chunks"}
SENTENCES: dict[Language, str] = {"zh": "句子", "en": "Sentences"}
WRITTEN: dict[Language, str] = {"zh": "索引最近更新", "en": "Index last changed"}
SYNCED: dict[Language, str] = {"zh": "最近一次完整同步", "en": "Last whole sync"}
NEVER: dict[Language, str] = {"zh": "从未", "en": "never"}
EMBEDDER: dict[Language, str] = {"zh": "嵌入模型", "en": "Embedding model"}
COUNTED: dict[Language, str] = {
    "zh": "{kind} {documents} 篇，{sections} 个小节",
    "en": "{kind}: {documents}, in {sections} sections",
}
COUNTED_ONE: dict[Language, str] = {
    "zh": "{kind} {documents} 篇，{sections} 个小节",
    "en": "{kind}: {documents}, in {sections} section",
}
NO_RELEASE: dict[Language, str] = {"zh": "未标版本", "en": "no release named"}
MISSING: dict[Language, str] = {"zh": "尚未收录的官方文档", "en": "Official, not in the index"}
MISSING_NAME: dict[Language, str] = {"zh": "{kind}（{language}）", "en": "{kind} ({language})"}
MISSING_NONE: dict[Language, str] = {
    "zh": "官方文档都在索引里。",
    "en": "All official documents are in the index.",
}
MISSING_COUNT: dict[Language, str] = {
    "zh": "官方文档共 {all} 篇，其中 {missing} 篇不在索引里。要全部下载，请在运行 torchnotes 的机器上执行：",
    "en": "{missing} of {all} official documents are not in the index. To get them all, type where "
    "torchnotes runs:",
}
MISSING_ONE: dict[Language, str] = {
    "zh": "只下载一个版本，例如 {release}：",
    "en": "Or those of one release, such as {release}:",
}
HOLDINGS_TABLE: dict[Language, str] = {
    "zh": "各版本的文档，新版本在前",
    "en": "Documents by release, the newest first",
}
