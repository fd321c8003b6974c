from __future__ import annotations

import io

import pytest

from ui.cli.progress import BuildProgressLine, duration


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def run(stream: io.StringIO, steps: list[tuple[float, str, int, int]]) -> str:
    times = iter([time for time, *_ in steps])
    with BuildProgressLine(stream, lambda: next(times)) as progress:
        for _, stage, done, total in steps:
            progress(stage, done, total)
    return stream.getvalue()


def test_a_terminal_gets_one_moving_line_a_stage_with_the_time_left() -> None:
    steps = [
        (0.0, "embed", 50, 150),
        (10.0, "embed", 100, 150),
        (20.0, "embed", 150, 150),
        (20.0, "write", 1, 1),
    ]
    shown = run(Terminal(), steps)
    assert "100 of 150 texts, 10 s left" in shown  # 50 came at once and do not count
    assert shown.count("\n") == 2
    assert shown.count("\r") == 4


def test_elsewhere_lines_are_few() -> None:
    steps = [(n / 10, "embed", n, 1000) for n in range(1, 1001)]
    lines = run(io.StringIO(), steps).splitlines()
    assert len(lines) <= 12
    assert lines[-1].endswith("1,000 of 1,000 texts")
    assert not any("\r" in line or "\x1b" in line for line in lines)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.4, "0 s"), (61, "1 min 1 s"), (7300, "2 h 1 min")],
    ids=["now", "minutes", "hours"],
)
def test_durations(seconds: float, said: str) -> None:
    assert duration(seconds) == said
