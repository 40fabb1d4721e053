"""YAML as plain data only: no duplicate keys, no guessed types, every mapping knows its line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import yaml


class DataError(Exception):
    """A fault in a data file: one line naming file, line and remedy."""


class Record(dict[str, Any]):
    """A mapping of a data file that remembers where it stands (``where`` is ``file:line``)."""

    where: str = ""
    places: Mapping[str, str] = MappingProxyType({})
    """``file:line`` of each key."""

    def copy_with(self, **changes: Any) -> Record:
        """A copy that stands at the same place."""
        new = Record(self, **changes)
        new.where, new.places = self.where, self.places
        return new


@cache
def _strict() -> Any:
    """The loader: strings, integers, decimals and true/false; dates, sexagesimals, octals and on/off stay text.

    Made when the first file is parsed: whoever finds his data parsed already need not wait for the library.
    """
    import yaml

    class Strict(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        file = ""

    Strict.yaml_implicit_resolvers = {}
    Strict.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))
    Strict.add_implicit_resolver("tag:yaml.org,2002:null", re.compile("^null$"), ["n"])
    Strict.add_implicit_resolver("tag:yaml.org,2002:int", re.compile("^(?:0|-?[1-9][0-9]*)$"), list("-0123456789"))
    Strict.add_implicit_resolver(
        "tag:yaml.org,2002:float", re.compile(r"^-?(?:0|[1-9][0-9]*)\.[0-9]+$"), list("-0123456789")
    )
    Strict.add_constructor("tag:yaml.org,2002:map", _mapping)
    return Strict


def _mapping(loader: Any, node: yaml.MappingNode) -> Record:
    record = Record()
    record.where = f"{loader.file}:{node.start_mark.line + 1}"
    record.places = places = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        line = key_node.start_mark.line + 1
        if not isinstance(key, str):
            raise DataError(f"{loader.file}:{line}: key {key!r} is not text; put it in quotes")
        if key in record:
            raise DataError(f"{loader.file}:{line}: key {key!r} stands twice; remove one")
        record[key] = loader.construct_object(value_node, deep=True)
        places[key] = f"{loader.file}:{line}"
    return record


def load_yaml(path: Path) -> Any:
    """The content of a file: Records, lists, text, numbers, true/false.

    Raises DataError with file and line for anything that is not plain data.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}); check the name") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise DataError(f"{path.name}:{line}: not UTF-8 text; save it as UTF-8") from None
    except ValueError:
        raise DataError(f"{str(path)!r} cannot be the name of a file") from None
    import yaml

    try:
        loader = _strict()(text)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise DataError(f"{path.name}:{line}: holds a character that is no text; take it out") from None
    loader.file = path.name
    try:
        return loader.get_single_data()
    except RecursionError:
        raise DataError(f"{path.name}:1: nested too deeply to be plain data; check brackets and indentation") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise DataError(
            f"{path.name}:{line}: not readable as YAML ({error.problem}); check quotes and brackets"
        ) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise DataError(f"{path.name}:{line}: holds a character that is no text; take it out") from None
    except yaml.YAMLError as error:
        reason = " ".join(str(error).split())
        raise DataError(f"{path.name}:1: not readable as YAML ({reason}); check quotes and brackets") from None
    finally:
        loader.dispose()
