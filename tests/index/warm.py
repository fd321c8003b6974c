"""Imported by the fork server of the tests: a writer forked from it starts with all that is slow done.

No terms are indexed here: bm25s would make tqdm's lock, which forked processes share, and one killed while it
holds that lock would stop all others for good.
"""

import bm25s  # noqa: F401
import numpy as np

from index.dense.vectors import VectorIndex
from tests.index.light import LightEmbedder, make_builder, sample_documents

for document in sample_documents():
    make_builder(LightEmbedder()).splitter.split_document(document)
VectorIndex.build(np.eye(2, dtype=np.float32))
