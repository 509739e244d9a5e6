"""Patchpie: a GTP engine for the board games Implo, Boloa, Robble and Pilo."""

__version__ = "0.1.0"

ENGINE_NAME = "Patchpie"
