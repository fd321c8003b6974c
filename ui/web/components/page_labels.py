"""Labels of the page in both languages."""

from __future__ import annotations

from ingest.document import Language

TITLE = "torchnotes"
#: The newest release of the index; without a hint at `torchnotes sync`, which only the operator can run.
REACH: dict[Language, str] = {
    "zh": "发布说明收录到 PyTorch {newest}",
    "en": "Notes up to PyTorch {newest}",
}
LANGUAGE: dict[Language, str] = {"zh": "语言", "en": "Language"}
LANGUAGE_CHOICES: dict[Language, list[tuple[str, str]]] = {
    "zh": [("自动", "auto"), ("中文", "zh"), ("English", "en")],
    "en": [("Auto", "auto"), ("中文", "zh"), ("English", "en")],
}
CHAT: dict[Language, str] = {"zh": "问答", "en": "Chat"}
EXPLORE: dict[Language, str] = {"zh": "功能历程", "en": "Features"}
COMPARE: dict[Language, str] = {"zh": "版本对比", "en": "Compare"}
UPGRADE: dict[Language, str] = {"zh": "我的代码", "en": "Your code"}
DOCUMENTS: dict[Language, str] = {"zh": "文档", "en": "Documents"}
API: dict[Language, str] = {"zh": "接口", "en": "API"}
#: The views in the order of the sidebar, by the end of their tabs' ids.
VIEWS: dict[str, dict[Language, str]] = {
    "chat": CHAT,
    "explore": EXPLORE,
    "compare": COMPARE,
    "upgrade": UPGRADE,
    "documents": DOCUMENTS,
    "api": API,
}
SKIP: dict[Language, str] = {"zh": "跳到提问框", "en": "Skip to the question box"}

ASK_HERE: dict[Language, str] = {"zh": "输入问题，中英文均可", "en": "Ask in English or Chinese"}
QUESTION: dict[Language, str] = {"zh": "问题", "en": "Question"}
SEND: dict[Language, str] = {"zh": "发送", "en": "Ask"}
STOP: dict[Language, str] = {"zh": "停止", "en": "Stop"}
MODEL_ON: dict[Language, str] = {"zh": "用语言模型撰写：{model}", "en": "Language model: {model}"}
MODEL_OFF: dict[Language, str] = {"zh": "无语言模型", "en": "No language model"}
BROKEN: dict[Language, str] = {
    "zh": "出了点问题，这个问题没能回答。请再试一次；如果还不行，请在终端运行 `torchnotes doctor`。",
    "en": "Something went wrong and the question was not answered. Try again, then type `torchnotes doctor`.",
}
BUSY: dict[Language, str] = {
    "zh": "现在提问的人太多，这个问题还没有回答。请稍等片刻再点“重试”。",
    "en": "Many people are asking right now, and this question was not answered. Try again in a moment.",
}
STOPPING: dict[Language, str] = {
    "zh": "服务正在停止，这个问题还没有回答。请稍等片刻再点“重试”。",
    "en": "The server is being stopped, and this question was not answered. Try again in a moment.",
}
IN_LINE: dict[Language, str] = {
    "zh": "前面还有人在问，请稍候……",
    "en": "Others are asking; yours is next in line ...",
}
