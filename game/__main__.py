"""``python -m game`` is the same program as ``xiangshe``."""

from game.cli import main

raise SystemExit(main())
