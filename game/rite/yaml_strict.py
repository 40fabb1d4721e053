"""YAML as plain data only: no duplicate keys, no guessed types, every mapping knows its line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class DataError(Exception):
    """A fault in a data file: one line naming file, line and remedy."""


class Record(dict[str, Any]):
    """A mapping of a data file that remembers where it stands (``where`` is ``file:line``)."""

    where: str = ""

    def copy_with(self, **changes: Any) -> Record:
        """A copy that stands at the same place."""
        new = Record(self, **changes)
        new.where = self.where
        return new


class _Strict(_LOADER):  # type: ignore[misc]
    """Knows strings, integers, decimals and true/false; dates, sexagesimals, octals and on/off stay text."""

    file = ""


_Strict.yaml_implicit_resolvers = {}
_Strict.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))
_Strict.add_implicit_resolver("tag:yaml.org,2002:null", re.compile("^null$"), ["n"])
_Strict.add_implicit_resolver("tag:yaml.org,2002:int", re.compile("^(?:0|-?[1-9][0-9]*)$"), list("-0123456789"))
_Strict.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^-?(?:0|[1-9][0-9]*)\.[0-9]+$"), list("-0123456789")
)


def _mapping(loader: Any, node: yaml.MappingNode) -> Record:
    record = Record()
    record.where = f"{loader.file}:{node.start_mark.line + 1}"
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        line = key_node.start_mark.line + 1
        if not isinstance(key, str):
            raise DataError(f"{loader.file}:{line}: key {key!r} is not text; put it in quotes")
        if key in record:
            raise DataError(f"{loader.file}:{line}: key {key!r} stands twice; remove one")
        record[key] = loader.construct_object(value_node, deep=True)
    return record


_Strict.add_constructor("tag:yaml.org,2002:map", _mapping)


def load_yaml(path: Path) -> Any:
    """The content of a file: Records, lists, text, numbers, true/false.

    Raises DataError with file and line for anything that is not plain data.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path.name}: cannot be read ({error}); save it as UTF-8") from None
    loader = _Strict(text)
    loader.file = path.name
    try:
        return loader.get_single_data()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise DataError(
            f"{path.name}:{line}: not readable as YAML ({error.problem}); check quotes and brackets"
        ) from None
    except yaml.YAMLError as error:
        raise DataError(f"{path.name}: not readable as YAML ({error})") from None
    finally:
        loader.dispose()
