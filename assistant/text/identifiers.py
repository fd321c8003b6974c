"""Identifiers: what of a text is written as a name. Patterns to build others of, with re.ASCII.

Readers add what they need beside them: devices (H100), any Latin word among Chinese. Of another kind are the
terms of the index (ingest/segment.py) and names of torch as Python code has them (api_usage/names.py).
"""

from __future__ import annotations

#: Parts with dots, colons or underscores between: torch.compile, at::Tensor, USE_LIBUV, also 2.4.
JOINED = r"(?<!\w)\w+(?:(?:[._]|::)\w+)+"
#: One word with a capital inside: FlexAttention, cuDNN, NCCL.
CAMEL = r"\b[A-Za-z][a-z0-9]*[A-Z]\w*"
#: An option of a command: --nproc-per-node, -DUSE_CUDA.
FLAG = r"(?<![\w-])--?[A-Za-z][\w-]+"
#: An environment variable; its case counts: (?-i:...) where others do not.
VARIABLE = r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b"
