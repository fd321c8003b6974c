"""An index in Milvus: vectors and postings on a server, or in a file of Milvus Lite."""
