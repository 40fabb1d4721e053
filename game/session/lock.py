"""One writer a journal: the system's own lock on the open file, which ends with the process however that ends."""

from __future__ import annotations

import errno
import sys
from typing import IO

_HELD = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 62
    """Windows keeps others from what is locked, even from reading it: so a byte that no journal has."""

    def _claim(file: IO[bytes]) -> None:
        at = file.tell()
        file.seek(_FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        finally:
            file.seek(at)

else:
    import fcntl

    def _claim(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def claim(file: IO[bytes]) -> bool:
    """Lock an open file until it is closed; False if another holds it. Where a file system has no locks: True."""
    try:
        _claim(file)
    except OSError as error:
        return error.errno not in _HELD
    return True
