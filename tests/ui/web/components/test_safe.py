"""The second lock: what is active does not pass, what our own rendering makes does."""

from __future__ import annotations

from tests.rows import each_row
from ui.web.components.safe import safe

OURS = (
    '<article class="tn-card"><span class="tn-number" id="source-t1-1">1</span>'
    '<button type="button" class="tn-source" data-source="1">2</button><mark data-source="1">q</mark>'
    '<abbr class="tn-term" tabindex="0" title="what">t</abbr>'
    '<table><tbody><tr><th scope="row">a</th></tr></tbody></table>'
    '<a href="#source-t1-1" class="tn-cite" data-source="1">1</a>'
    '<a href="https://x.y/?a=1&amp;b=2" title="x" target="_blank" rel="noopener noreferrer">y</a></article>'
)


def test_what_we_make_passes_as_it_is() -> None:
    assert safe(OURS) == OURS


@each_row(
    ("html", "left"),
    [
        ("<script>alert(1)</script>a", "a"),
        ("<img src=x onerror=alert(1)>a", "a"),
        ('<p onclick="x()" style="color:red">a</p>', "<p>a</p>"),
        ('<a href="javascript:alert(1)">a</a>', "<a>a</a>"),
        ('<a href="data:text/html,x">a</a>', "<a>a</a>"),
        ("<svg><script>1</script></svg>a", "a"),
        ("<iframe src=https://x.y></iframe>a", "a"),
        ("<form action=https://x.y><input></form>a", "a"),
        ('<base href="https://x.y">a', "a"),
    ],
)
def test_what_is_active_does_not(html: str, left: str) -> None:
    assert safe(html) == left


@each_row("turning", ["\u202e", "\u2066", "\u200f", "\u061c", "&#8238;", "&#x2067;", "\x1b"])
def test_what_turns_the_order_of_letters_does_not(turning: str) -> None:
    """A name such as "photo_gpj.exe" would be read as another one."""
    html = f'<p title="a{turning}b">c{turning}d</p>'
    assert safe(html) == '<p title="ab">cd</p>'


def test_letters_of_all_scripts_and_joined_signs_pass() -> None:
    text = "<p>中文 עברית العربية 👩\u200d💻 a\u200bb</p>"
    assert safe(text) == text
