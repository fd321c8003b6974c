"""Platforms that files name, against the compatibility table."""

from __future__ import annotations

from pathlib import Path

from assistant.upgrade.platform_rules import PlatformRules
from ingest.release import Release
from tests.assistant.upgrade.projects import project, report_on
from tests.rows import each_row

VARIABLE = "TORCHINDUCTOR_MAX_AUTOTUNE_DEFER_LAYOUT_FREEZING"
CPP = """\
at::Dimname name;
my::at::Dimname2 other;
// at::Dimname
/* at::Dimname
 at::Dimname */ int a; // "
auto url = "http://"; at::Dimname b;
throw Error("at::Dimname is gone"); getenv("CUDA_HOME_PATH_X");
"""
CASES = {
    "FROM python:3.8-slim": ("Python 3.8", "sure"),
    "FROM --platform=linux/amd64 registry.io/python:3.8": ("Python 3.8", "sure"),
    "FROM python:3.12": None,
    'requires-python = ">=3.8"': ("Python 3.8", "likely"),
    "python_requires='>=3.8, <4',": ("Python 3.8", "likely"),
    "python_requires='>=3.9',": None,
    'python = "^3.8"': ("Python 3.8", "likely"),
    '    python-version: ["3.8", "3.10"]': ("Python 3.8", "likely"),
    '    python-version: ["3.10"]': None,
    "pip install torch --index-url https://download.pytorch.org/whl/cu118": ("CUDA 11.8", "sure"),
    "pip install torch --index-url https://download.pytorch.org/whl/cu126": None,
    "torch==2.3.0+cu118": ("CUDA 11.8", "sure"),
    "FROM nvidia/cuda:11.6.2-devel-ubuntu20.04": ("CUDA 11.6", "likely"),
    'ENV TORCH_CUDA_ARCH_LIST="6.0 8.0"': ("compute capability 6.0", "likely"),
    "nvcc -gencode arch=compute_80,code=sm_80": None,
    "conda install pytorch torchvision -c pytorch": ("conda install pytorch", "sure"),
    "conda install numpy": None,
    "  - pytorch=2.3": ("conda install pytorch", "sure"),
    "  - pytorch-lightning": None,
    "# conda install pytorch": None,
    "FROM centos:7": ("Linux centos:7", "likely"),
    "FROM quay.io/pypa/manylinux2014_x86_64": ("Linux manylinux2014", "likely"),
    "FROM ubuntu:18.04": ("Linux ubuntu:18.04", "likely"),
    "FROM amazonlinux:2023": None,
    "FROM ubuntu:22.04": None,
    "        os: [ubuntu-latest, macos-12]": ("macOS 12", "likely"),
    "    runs-on: macos-13-xlarge": None,  # MPS on 13 goes with 2.9
    "    runs-on: macos-latest": None,
    'MACOSX_DEPLOYMENT_TARGET = "11.0"': ("macOS 11", "likely"),
    "export MACOSX_DEPLOYMENT_TARGET=14.0": None,
    'set(CMAKE_OSX_DEPLOYMENT_TARGET "12.3")': ("macOS 12", "likely"),
}


@each_row(("line", "expected"), CASES.items(), ids=CASES)
def test_a_line(line: str, expected: tuple[str, str] | None) -> None:
    found = [*PlatformRules(Release(2, 3), Release(2, 8), "en").matches(line)]
    assert [(each.symbol, each.certainty) for each in found] == ([expected] if expected else [])
    assert all(each.quote.text and each.quote.url.startswith("https://") for each in found)


def test_conda_concerns_upgrades_past_2_5() -> None:
    rules = PlatformRules(Release(2, 6), Release(2, 8), "en")
    assert [*rules.matches("conda install pytorch")] == []


def test_names_that_the_code_base_declares_are_only_possible(tmp_path: Path) -> None:
    own = "namespace torch {\nnamespace deploy {\nint f();\n}\n}\n"
    use = "int f() { return torch::deploy::f(); }\nnamespace d = torch::deploy;\n"
    described = 'setup(description="torch::deploy and more")\n'
    for files, certain in (({"a.cpp": use}, "likely"), ({"a.cpp": use, "a.h": own}, "name")):
        folder = project(tmp_path / certain, {**files, "setup.py": described})
        found = report_on(folder, "1.13", "2.0").findings
        assert {(each.symbol, each.certainty) for each in found} == {("torch::deploy", certain)}


def test_macs_need_a_newer_system_since_2_9() -> None:
    rules = PlatformRules(Release(2, 8), Release(2, 9), "zh")
    (found,) = rules.matches("    runs-on: macos-13")
    assert (found.symbol, found.release, found.replacement) == ("macOS 13", "2.9", ("macOS 14",))
    assert "macOS 14" in found.quote.text


def test_names_of_cpp_builds_and_shells_are_searched_as_text(tmp_path: Path) -> None:
    project(
        tmp_path,
        {
            "a.cpp": CPP,
            "CMakeLists.txt": "set(CMAKE_CXX_STANDARD 17)\n",
            "run.sh": "bazel build //:torch\n",
            "run.py": f"import os, torch\n\nos.environ['{VARIABLE}'] = '1'\n",
        },
    )
    report = report_on(tmp_path, "2.11", "2.13")
    found = {(each.place.file, each.place.line, each.symbol) for each in report.findings}
    assert {("a.cpp", 1, "at::Dimname"), ("CMakeLists.txt", 1, "CMAKE_CXX_STANDARD 17")} <= found
    assert ("run.py", 3, VARIABLE) in found
    assert {line for file, line, _ in found if file == "a.cpp"} == {1, 6}
