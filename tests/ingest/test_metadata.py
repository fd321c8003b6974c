"""The facts of a document come from what it says of itself; its title has the last word."""

from __future__ import annotations

from datetime import date

from ingest.document import Document
from ingest.metadata import parse_date, title_of
from ingest.reading import read_document
from tests.rows import each_row

TAG = "https://github.com/pytorch/pytorch/releases/tag"
TRANSLATION = """# 新版本: PyTorch {title} 发布博客

> 发布: 2024年10月17日
>
> 译者：[@某人](https://github.com/someone)
>
> 原文: <https://pytorch.org/blog/pytorch2-6>
>
> 翻译: <https://pytorch.apachecn.org/LatestChanges/PyTorch_V2.6>

我们很高兴地宣布 PyTorch® 2.6 的发布（[发布说明](https://github.com/pytorch/pytorch/releases/tag/v2.6.0)）！
自 PyTorch 2.5 以来有很多改进。
"""


def facts(document: Document) -> tuple[str, str, str, str]:
    return document.version, document.kind, document.language, document.url


def test_a_translation_names_its_original() -> None:
    document = read_document(TRANSLATION.format(title="2.6"), "a.md")
    assert facts(document) == ("2.6", "blog", "zh", "https://pytorch.org/blog/pytorch2-6")
    assert document.date == date(2024, 10, 17)
    assert document.title == "新版本: PyTorch 2.6 发布博客"


def test_a_title_of_another_release_is_not_believed_nor_its_date() -> None:
    document = read_document(TRANSLATION.format(title="2.5"), "a.md")
    assert facts(document) == ("2.6", "blog", "zh", "https://pytorch.org/blog/pytorch2-6")
    assert document.date is None
    assert document.title == "PyTorch 2.6 发布博客"
    assert "2.5 发布博客" not in document.text
    assert document.removed[0].reason == "title of another release"


def test_front_matter_comes_first() -> None:
    head = "title: T\nrelease: '2.10'\nkind: digest\nlanguage: en\nurl: https://a.b/c\ndate: 2024-01-02\n"
    document = read_document(f"---\n{head}---\n" + TRANSLATION.format(title="2.5"), "pytorch-1.2.md")
    assert facts(document) == ("2.10", "digest", "en", "https://a.b/c")
    assert (document.title, document.date) == ("T", date(2024, 1, 2))


def test_front_matter_of_a_site_generator_is_no_declaration() -> None:
    head = "layout: page\nkind: page\nversion: beta\nlanguage: fr\ndate: soon"
    document = read_document(f"---\n{head}\n---\nPlain prose.\n", "a.md")
    assert facts(document) == ("", "user", "en", "")
    assert document.date is None


def test_a_post_without_address_links_its_release_page() -> None:
    other = "[TorchFix](https://github.com/pytorch-labs/torchfix/releases/tag/v0.6.0)"
    body = f"We announce the release of PyTorch® 2.4 ([release note]({TAG}/v2.4.0))! See also {other}.\n"
    text = f'---\nlayout: blog_detail\ntitle: "PyTorch 2.4 Release Blog"\n---\n{body}'
    # The catalogue knows where the English post stands; of a translation nobody knows which it is.
    post = "https://pytorch.org/blog/pytorch2-4"
    assert facts(read_document(text, "x.md")) == ("2.4", "blog", "en", post)
    translated = text.replace("We announce the release of", "我们很高兴地宣布发布").replace(
        "See also", "另见"
    )
    assert facts(read_document(translated, "x.md")) == ("2.4", "blog", "zh", f"{TAG}/v2.4.0")


def test_release_notes_are_known_by_their_sections() -> None:
    text = "# PyTorch 2.7.1 Release Notes\n# Highlights\na\n# Deprecations\nb\n# Bug fixes\nc\n"
    assert facts(read_document(text, "final.md")) == ("2.7", "release-notes", "en", f"{TAG}/v2.7.1")


def test_an_article_that_names_one_post_as_its_source_retells_it() -> None:
    body = "PyTorch 2.2 集成了新内核，比 2.1 快。\n参考资料:\nhttps://pytorch.org/blog/pytorch2-2/\n"
    text = f"PyTorch 2.2大更新!\n{body}"
    assert facts(read_document(text, "a.txt")) == (
        "2.2",
        "blog",
        "zh",
        "https://pytorch.org/blog/pytorch2-2/",
    )


@each_row(
    ("text", "origin", "release"),
    [
        ("# Upgrade\n\nWe moved to PyTorch 2.4. PyTorch 2.4 broke our loader.\n", "minutes.md", "2.4"),
        ("# To PyTorch 2.4\n\nPyTorch 2.4 is near https://pytorch.org/blog/pytorch2-2/.\n", "m.md", ""),
        (
            "# To PyTorch 2.4\n\nPyTorch 2.4, not https://pytorch.org/blog/pytorch2-2/. PyTorch 2.4!\n",
            "m.md",
            "2.4",
        ),
        ("# Minutes\n\nWe talked.\n", "notes-pytorch-2.5.md", "2.5"),
        ("# Minutes\n\nPyTorch 2.1, PyTorch 2.2 and PyTorch 2.3 were compared.\n", "m.md", ""),
        ("# Minutes\n\ntorch.export was announced in PyTorch 2.1; PyTorch 2.6 runs here.\n", "m.md", ""),
        ("# Minutes of PyTorch 2.3\n\nWe talked.\n", "pytorch-2.5.md", ""),
        ("# Minutes\n\nRedis 7.2 and Python 3.12.\n", "m.md", ""),
    ],
    ids=[
        "prose",
        "contradicted link",
        "confirmed",
        "file name",
        "many",
        "in passing",
        "contradiction",
        "others",
    ],
)
def test_the_release_of_a_users_document_is_never_guessed(text: str, origin: str, release: str) -> None:
    document = read_document(text, origin)
    assert (document.version, document.kind, document.url) == (release, "user", "")


def test_an_address_that_is_no_web_address_is_not_taken() -> None:
    assert read_document("---\nurl: javascript:alert(1)\n---\nText.\n", "a.md").url == ""


def test_title_falls_back_to_the_file_name() -> None:
    assert read_document("Just a sentence here.\n", "/x/team notes.md").title == "team notes"
    assert title_of("\n\n## A `b` ##\ntext") == "A `b`"
    assert title_of("# Two {#two}\n") == "Two"


@each_row(
    ("value", "day"),
    [
        ("2024年10月17日", date(2024, 10, 17)),
        ("2024-07-24T16:00:01Z", date(2024, 7, 24)),
        ("2024/7/4", date(2024, 7, 4)),
        ("2024-13-01", None),
        ("soon", None),
        ("", None),
    ],
)
def test_dates(value: str, day: date | None) -> None:
    assert parse_date(value) == day
