"""The headers of torch refuse a C++ standard before 17, and take 17 or a later one."""

import subprocess
from pathlib import Path

import kit
import torch.utils.cpp_extension as extension

compiler = kit.compiler()
Path("trial.cpp").write_text("#include <torch/all.h>\n")
folders = [f"-I{folder}" for folder in extension.include_paths()]


def preprocess(standard: str) -> tuple[bool, str]:
    """Whether the headers pass the preprocessor with this standard, and what they say."""
    command = [compiler, f"-std={standard}", "-E", "-o", "out.i", *folders, "trial.cpp"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stderr


kit.fact("C++14 is refused", not preprocess("c++14")[0])
told = preprocess("c++14")[1]
kit.fact("the error names the standard", "C++17" in told or "C++20" in told)
kit.fact("C++20 is taken", preprocess("c++20")[0])
kit.fact("C++17 is taken", preprocess("c++17")[0])
