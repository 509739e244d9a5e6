"""Patchpie: a GTP engine for abstract board games."""

__version__ = "0.1.0"

ENGINE_NAME = "Patchpie"
