"""Write the answers of all golden playthroughs anew; with ``--check`` only say which would differ."""

from __future__ import annotations

import sys
from difflib import unified_diff
from pathlib import Path

from tests.playthroughs.transcript import Playthrough, Script, files

HOW = "If the change is meant, `make golden` (python -m tests.playthroughs.regenerate) writes them anew; read its diff."


def difference(name: str, kept: str, now: str) -> str:
    """What a change did to a playthrough, as a diff with its inputs around; empty if nothing."""
    lines = unified_diff(kept.splitlines(), now.splitlines(), f"{name} (kept)", f"{name} (now)", lineterm="", n=4)
    return "\n".join(lines)


def compared(path: Path) -> tuple[str, str, list[str]]:
    """A playthrough as it is kept, as it comes out now, and the inputs that came to what was not expected."""
    kept = path.read_text(encoding="utf-8")
    playthrough = Playthrough.of(Script.read(kept))
    return kept, playthrough.play(), playthrough.unexpected


def main(arguments: list[str]) -> int:
    """Regenerate or check. Returns 1 where something differs, or came to what its script does not expect."""
    bad = False
    for path in files():
        kept, now, unexpected = compared(path)
        for one in unexpected:
            print(f"{path.name}: {one}", file=sys.stderr)
        bad = bad or bool(unexpected)
        if kept == now:
            continue
        if "--check" in arguments:
            print(difference(path.name, kept, now))
            bad = True
        else:
            path.write_bytes(now.encode())
            print(f"{path.name} written anew")
    if bad and "--check" in arguments:
        print(HOW, file=sys.stderr)
    return int(bad)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
