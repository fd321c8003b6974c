"""Labels of the documents tab in both languages."""

from __future__ import annotations

from ingest.document import Language
from ui.shared.documents import Fate

HEAD: dict[Language, str] = {"zh": "索引里的文档", "en": "Documents in the index"}
LOCKED: dict[Language, str] = {
    "zh": "这里不能增删文档；要允许访问者增删，请用 `torchnotes web --allow-documents` 启动。",
    "en": "Documents cannot be added or removed here; to allow visitors to, start it with "
    "`torchnotes web --allow-documents`.",
}
FILTER: dict[Language, str] = {"zh": "筛选", "en": "Filter"}
FILTER_HINT: dict[Language, str] = {
    "zh": "标题、版本、语言、类型或地址里的字词",
    "en": "Words of the title, release, language, kind or address",
}
COLUMNS: dict[Language, tuple[str, ...]] = {
    "zh": ("标题", "版本", "语言", "类型", "日期", "章节"),
    "en": ("Title", "Release", "Language", "Kind", "Date", "Sections"),
}
SHIPPED: dict[Language, str] = {"zh": "内置", "en": "shipped"}
SHIPPED_HINT: dict[Language, str] = {
    "zh": "torchnotes 内置的文档，不能移除",
    "en": "It ships with torchnotes and cannot be removed",
}
COUNT: dict[Language, str] = {
    "zh": "共 {all} 篇文档，其中 {own} 篇由用户添加。",
    "en": "Documents: {all}; added by users: {own}.",
}
MATCHING: dict[Language, str] = {"zh": "符合筛选条件的有 {shown} 篇。", "en": "Matching the filter: {shown}."}
NONE_MATCHES: dict[Language, str] = {
    "zh": "没有符合筛选条件的文档。",
    "en": "No document matches the filter.",
}

ADD_HEAD: dict[Language, str] = {"zh": "添加", "en": "Add documents"}
ADD_HINT: dict[Language, str] = {
    "zh": "可以是 Markdown、纯文本、HTML，或 GitHub Releases API 返回的 JSON；每个文件不超过 {size} MB，"
    "一次最多 {count} 个。同名文件会替换先前那一个。",
    "en": "Markdown, plain text, HTML, or the JSON of GitHub's releases API; at most {size} MB a file and "
    "{count} files at once. A file replaces the one of the same name.",
}
FILES: dict[Language, str] = {"zh": "文件", "en": "Files"}
ADDRESS: dict[Language, str] = {"zh": "或一个网址", "en": "Or a web address"}
ADD: dict[Language, str] = {"zh": "添加", "en": "Add"}

REMOVE_HEAD: dict[Language, str] = {"zh": "移除", "en": "Remove documents"}
REMOVE_CHOICES: dict[Language, str] = {"zh": "要移除的文档", "en": "Documents to remove"}
REMOVE_NONE: dict[Language, str] = {
    "zh": "没有可以移除的文档：内置摘要不能移除。",
    "en": "There is nothing to remove: the shipped digests stay.",
}
REMOVE: dict[Language, str] = {"zh": "移除所选…", "en": "Remove chosen ..."}
CHOOSE: dict[Language, str] = {"zh": "请先勾选要移除的文档。", "en": "Tick the documents to remove first."}
CONFIRM: dict[Language, str] = {
    "zh": "确定从索引中移除这 {count} 篇文档吗？移除后所有访问者都查不到它们。",
    "en": "Remove these from the index ({count})? No visitor will find them any more.",
}
CONFIRM_YES: dict[Language, str] = {"zh": "移除", "en": "Remove"}
CONFIRM_NO: dict[Language, str] = {"zh": "取消", "en": "Cancel"}

#: Texts by stage; {done} and {total} are numbers.
STEPS: dict[Language, dict[str, str]] = {
    "zh": {
        "wait": "另一位访问者正在更改索引，完成后就轮到你……",
        "load": "读取并清洗：{done} / {total}",
        "open": "打开索引……",
        "split": "切分：{done} / {total} 篇",
        "embed": "计算向量：{done} / {total} 条文本",
        "terms": "建立词项索引：{done} / {total} 个片段",
        "write": "写入索引……",
        "read": "切换到新索引……",
    },
    "en": {
        "wait": "Another visitor is changing the index; yours is next ...",
        "load": "Loading and cleaning: {done} of {total}",
        "open": "Opening the index ...",
        "split": "Splitting: {done} of {total} documents",
        "embed": "Embedding: {done} of {total} texts",
        "terms": "Indexing terms: {done} of {total} chunks",
        "write": "Writing the index ...",
        "read": "Switching to the new index ...",
    },
}

REPORT: dict[Language, str] = {"zh": "结果", "en": "What became of it"}
FATES: dict[Language, dict[Fate, str]] = {
    "zh": {"new": "新增", "changed": "已更新", "unchanged": "无变化"},
    "en": {"new": "new", "changed": "changed", "unchanged": "unchanged"},
}
NO_RELEASE: dict[Language, str] = {"zh": "未标版本", "en": "no release"}
CLEANED: dict[Language, str] = {"zh": "清洗掉 {lines}", "en": "cleaned away: {lines}"}
LINES: dict[Language, str] = {"zh": "{count} 行", "en": "{count} lines"}
LINE: dict[Language, str] = {"zh": "1 行", "en": "1 line"}
REMOVED: dict[Language, str] = {"zh": "已移除", "en": "removed"}
REFUSED: dict[Language, str] = {"zh": "未收录", "en": "not taken"}
DIGESTS: dict[Language, str] = {
    "zh": "更新了 {count} 篇内置摘要。",
    "en": "Shipped digests brought up to date: {count}.",
}
HOLDS: dict[Language, str] = {
    "zh": "索引现有 {documents} 篇文档、{chunks} 个片段；这次计算了 {embedded} 条文本的向量。",
    "en": "The index holds {documents} documents in {chunks} chunks; texts embedded this time: {embedded}.",
}
NOTHING_TAKEN: dict[Language, str] = {
    "zh": "没有收录任何文档，索引没有变化。",
    "en": "Nothing was taken; the index is as it was.",
}

NOTHING_GIVEN: dict[Language, str] = {
    "zh": "请先选择文件，或填写网址。",
    "en": "Drop a file or type an address first.",
}
TOO_MANY: dict[Language, str] = {
    "zh": "一次最多 {most} 个文件；其余 {count} 个请分次添加",
    "en": "at most {most} files are taken at once; add the other {count} in another go",
}
TWICE: dict[Language, str] = {
    "zh": "这次已有同名文件；请改名，或分次添加",
    "en": "a file of the same name was given with it; rename one of them",
}
GONE: dict[Language, str] = {
    "zh": "上传的文件已不在服务器上；请重新选择",
    "en": "it is on the server no more; choose the file again",
}
NO_ADDRESS: dict[Language, str] = {
    "zh": "只读取 http:// 和 https:// 开头的网址",
    "en": "only http:// and https:// addresses are read",
}
BUSY: dict[Language, str] = {
    "zh": "另一个程序正在写入索引；请等它结束后再试。",
    "en": "Another program is writing the index; try again when it is done.",
}
BROKEN: dict[Language, str] = {
    "zh": "出了点问题，索引没有变化。请再试一次；如果还不行，请在终端运行 `torchnotes doctor`。",
    "en": "Something went wrong and the index is as it was. Try again, then type `torchnotes doctor`.",
}
