"""What a data file holds, kept as JSON under the digest of its bytes: a file is parsed once for every change of it.

Only a copy of what the strict loader made is ever kept, as plain data. A copy that is missing, damaged or cannot be
written costs time and nothing else. Lines of single keys are not kept; those who need them read the file itself.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from game.rite.yaml_strict import Record, load_yaml

FORMAT = b"1"
"""Changes whenever the strict loader would read a file otherwise."""
_WHERE = "@"


def load_cached(path: Path, folder: Path | None = None) -> Any:
    """The content of a file as ``load_yaml`` gives it; ``folder`` is where copies are kept (default: the user's)."""
    try:
        digest = hashlib.sha256(FORMAT + os.fsencode(path.name) + b"\n" + path.read_bytes()).hexdigest()[:32]
    except OSError:
        return load_yaml(path)
    copy = (folder or _folder()) / f"{digest}.json"
    try:
        return json.loads(copy.read_bytes(), object_hook=_record)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        value = load_yaml(path)
    with suppress(OSError, ValueError):
        copy.parent.mkdir(parents=True, exist_ok=True)
        fresh = copy.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
        fresh.replace(copy)
    return value


def _folder() -> Path:
    from game.paths import user_cache

    return user_cache() / "data"


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        if _WHERE in value:
            raise ValueError(value.where)
        return {_WHERE: value.where, **{k: _plain(v) for k, v in value.items()}}
    return [_plain(v) for v in value] if isinstance(value, list) else value


def _record(pairs: dict[str, Any]) -> Record:
    where = pairs.pop(_WHERE)
    record = Record(pairs)
    record.where = where
    return record
