"""The same text gives the same chunks, sentences and terms as long as the format of an index is the same."""

from __future__ import annotations

import hashlib
import json

from index.storage.manifest import FORMAT
from ingest.chunk import embedded_text, lexical_text, sentence_texts
from tests.index.light import LightEmbedder, make_builder, make_document, sample_documents

#: By format, a digest of what the documents below become. Add an entry, change none: an index of an older
#: build has the chunks of its time, and is read as one of this build as long as the format is the same.
DIGESTS = {2: "f3a3f8f91d259d23", 3: "f3a3f8f91d259d23"}

NOTES = """Everything at once
==================

Source: <https://example.org/a?b=c>

PyTorch 2.10 is out! Did you see <https://example.org/a?b=c>? `torch.compile` (with *dynamic* shapes) is
**faster**, e.g. 1.6x on an H100 (#123456, #123457). f(*args, **kwargs) and torch._dynamo.config stay.

> It needs `USE_LIBUV=0`
> on older machines. See [the docs](https://example.org/x_(y)).

## Deprecations ##

- The first item is long, and says that the old API goes away. Use the new one.
  - Nested, with `code` and a link: <https://example.org>.

  ```python
  x = torch.ops.foo(a, b)
  ```

1. One
2. Two

**Bold heading:**

<p>The feature needs <code>FOO=1</code>. Set it <b>first</b>.</p>

| Operator | Status |
| -------- | ------ |
| `a|b`    | stable |

### [Prototype] 张量并行 {#tp}

张量并行（Tensor Parallel）现在支持 DTensor，在 2.10 中更快；请用 parallelize_module 切分模型。
旧的检查點不能读！真的吗？
"""


def test_the_same_text_becomes_the_same() -> None:
    builder = make_builder(LightEmbedder())
    terms = builder.segmenter.terms
    rows = []
    for document in [*sample_documents(), make_document("all", NOTES, release="2.10")]:
        for chunk in builder.splitter.split_document(document):
            spans = (chunk.section, chunk.section_id, chunk.start, chunk.end, chunk.sentences)
            path = (chunk.id, chunk.headings, chunk.status, chunk.url, chunk.context)
            texts = (embedded_text(chunk, document), *sentence_texts(chunk, document))
            rows.append(
                [spans, path, texts, terms(lexical_text(chunk, document)), terms(" ".join(chunk.headings))]
            )
    digest = hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]
    assert DIGESTS.get(FORMAT) == digest, (
        f"the same text gives other chunks, sentences or terms than an index of format {FORMAT} holds: raise "
        f"FORMAT in index/storage/manifest.py, and add it here with the digest {digest}"
    )
