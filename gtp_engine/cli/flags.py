"""Options on the command line and in the environment."""

import argparse
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from gtp_engine.base.option import Option, Values, shown

_NO_TEXTS: Mapping[str, str] = MappingProxyType({})


def add_flags(
    parser: argparse.ArgumentParser,
    declared: Iterable[Option],
    texts: Mapping[str, str] = _NO_TEXTS,
    *,
    paired: bool = False,
) -> None:
    """Add a flag for each option. Only the values of flags that are given are in the namespace.

    texts  -- helps of some flags that differ from the declarations
    paired -- a switch is `--NAME` and `--no-NAME` instead of `--NAME on` and `--NAME off`
    """
    for each in declared:
        words: dict[str, Any] = {"dest": each.flag, "default": argparse.SUPPRESS}
        if paired and isinstance(each.default, bool):
            words["action"] = argparse.BooleanOptionalAction
            told = f"{each.meaning} (default {shown(each.default)})"
            parser.add_argument(f"--{each.flag}", help=told, **words)
            continue
        told = texts.get(each.flag, each.help).replace("%", "%%")
        name = "N" if each.values.lowest is not None else each.flag.upper()
        words["type"] = taking(each.values)
        parser.add_argument(f"--{each.flag}", metavar=name, help=told, **words)


def add_cluster_flags(parser: argparse.ArgumentParser, address: str) -> None:
    """Add the flags for work on a Dask cluster; `address` is the help of the first."""
    parser.add_argument("--cluster", metavar="ADDRESS", help=address)
    parser.add_argument(
        "--accept-other-builds",
        action="store_true",
        help="accept workers with different files of the same version, such as a kernel compiled "
        "there",
    )


def add_size_flag(parser: argparse.ArgumentParser) -> None:
    """Add the flag for the size of a board."""
    parser.add_argument("--size", type=int, help="points along an edge (default: the game's)")


def taking(values: Values) -> Callable[[str], Any]:
    """A type for argparse that takes these values."""

    def parse(text: str) -> Any:
        try:
            return values.parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parse


def given(namespace: argparse.Namespace, declared: Iterable[Option]) -> dict[str, Any]:
    """The values of the flags that were given, by the names of their options."""
    found = vars(namespace)
    return {each.name: found[each.flag] for each in declared if each.flag in found}


def chosen(namespace: argparse.Namespace, declared: Collection[Option]) -> dict[str, Any]:
    """The values that were given by flags, else in the environment.

    Raises ValueError, with a sentence for the user.
    """
    found = given(namespace, declared)
    return found | _from_environment(each for each in declared if each.name not in found)


def _from_environment(declared: Iterable[Option]) -> dict[str, Any]:
    """The values of environment variables such as PATCHPIE_BACKEND. Raises ValueError."""
    found: dict[str, Any] = {}
    for each in declared:
        variable = f"PATCHPIE_{each.name.upper()}"
        if variable in os.environ:
            try:
                found[each.name] = each.values.parse(os.environ[variable])
            except ValueError as error:
                raise ValueError(f"{variable}: {error}") from None
    return found
