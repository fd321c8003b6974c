"""Bulk work on a Dask cluster: documents are read, split and embedded on workers, and written by one."""
