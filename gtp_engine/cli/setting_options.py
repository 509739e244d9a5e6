"""Settings as command-line options and environment variables."""

import argparse
import os
from collections.abc import Collection, Iterator

from gtp_engine.engine.settings import Settings, settings
from gtp_engine.search.options import Declaration
from gtp_engine.search.value_types import shown

ALL = tuple(setting.name for setting in settings())


def add_settings(parser: argparse.ArgumentParser, keys: Collection[str] = ALL) -> None:
    """Add an option `--key VALUE` for each of the given settings."""
    for setting in _chosen(keys):
        parser.add_argument(
            f"--{setting.name}",
            metavar=setting.values.name.upper().split()[0],
            help=f"{setting.meaning} ({setting.values.name}; default {shown(setting.default)})",
        )
        if setting.former is not None:
            parser.add_argument(f"--{setting.former}", help=argparse.SUPPRESS)


def read_settings(options: argparse.Namespace, keys: Collection[str] = ALL) -> Settings:
    """The settings from the options, else from environment variables such as PATCHPIE_BACKEND.

    Raises ValueError, with a sentence for the user.
    """
    chosen = Settings()
    for setting in _chosen(keys):
        for source, name, text in _given(setting, options):
            try:
                chosen = chosen.change(name, text)
            except ValueError:
                raise ValueError(f"{source} takes: {setting.values.name}") from None
            break
    return chosen


def _given(setting: Declaration, options: argparse.Namespace) -> Iterator[tuple[str, str, str]]:
    """The source, name and text of each value given for a setting, highest precedence first."""
    names = (setting.name,) if setting.former is None else (setting.name, setting.former)
    for name in names:
        if (text := getattr(options, name)) is not None:
            yield f"--{name}", name, text
    for name in names:
        variable = f"PATCHPIE_{name.upper()}"
        if (text := os.environ.get(variable)) is not None:
            yield variable, name, text


def _chosen(keys: Collection[str]) -> list[Declaration]:
    return [setting for setting in settings() if setting.name in keys]
