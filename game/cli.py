"""The command line. Each command imports what it needs and nothing else."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from game import __version__

if TYPE_CHECKING:
    from game.app.app import Start
    from game.rite.book import Book
    from game.rite.scenario import Scenario
    from game.session.session import Session


class UsageError(Exception):
    """Something in the call that cannot be served: one line, exit code 2."""


_LEVELS = ("童子", "士", "君子")
_LEVEL_HELP = "told everything, choices, or nothing; also tongzi, shi, junzi"


def _level(name: str) -> str:
    """A level by its name or its sound."""
    return {"tongzi": "童子", "shi": "士", "junzi": "君子"}.get(name.lower(), name)


def _named(text: str) -> str:
    """A name of something; an empty one is a slip of a script, and nothing may be begun upon it."""
    if not text.strip():
        raise argparse.ArgumentTypeError("is empty; give a name, or leave the option out")
    return text


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with a call in one line."""

    def error(self, message: str) -> NoReturn:
        from game.clean import short

        self.exit(2, f"{self.prog}: {short(message)}; see {self.prog} --help\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="xiangshe", description="乡射礼 · the District Archery Ceremony, to take part in")
    parser.add_argument("--version", action="version", version=f"xiangshe {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, text: str, *, played: bool = False) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.add_argument("--lang", choices=("zh", "en", "both"), help="language of what is shown (default: yours)")
        if played:
            sub.add_argument(
                "--scenario", default="常", metavar="NAME|FILE", help="who is present (see `xiangshe scenarios`)"
            )
            sub.add_argument(
                "--seed", type=int, default=1, metavar="N", help="which wrong choices level 士 offers, in which order"
            )
            sub.add_argument("--reading", choices=("郑", "敖"), help="whose reading where they differ")
            sub.add_argument(
                "--from", dest="first", type=_named, metavar="PHASE", help="first phase (5, P05 or 05-主人献宾)"
            )
            sub.add_argument("--to", dest="last", type=_named, metavar="PHASE", help="last phase")
        return sub

    play = command("play", "take part: play one role, agents play the others", played=True)
    play.add_argument(
        "--role",
        action="append",
        metavar="PERSON",
        help="whom to play, in Chinese, pinyin or English (default 宾, the guest); may be repeated",
    )
    play.add_argument("--level", choices=_LEVELS, type=_level, default="士", help=_LEVEL_HELP)
    play.add_argument("--plain", action="store_true", help="line by line, for screen readers, pipes and slow links")
    play.add_argument("--open", dest="saved", type=_named, metavar="FILE", help="go on with a saved session")
    play.add_argument("--out", type=_named, metavar="FILE", help="where to save (default: the saves folder)")

    drill = command("drill", "practise one phase; without PHASE the most overdue one", played=True)
    drill.add_argument("phase", nargs="?", metavar="PHASE")
    drill.add_argument(
        "--role", metavar="PERSON", help="whom to play (default: who is most overdue, else 宾, the guest)"
    )
    drill.add_argument("--level", choices=_LEVELS, type=_level, default="士", help=_LEVEL_HELP)
    drill.add_argument("--plain", action="store_true", help="line by line")

    command("watch", "agents play every role, on the screen", played=True)

    simulate = command("simulate", "agents alone, no screen: one journal, or several", played=True)
    simulate.add_argument("--out", type=_named, metavar="FILE", help="journal to write (default: standard output)")
    simulate.add_argument("--count", type=int, default=1, metavar="N", help="N journals, seeds counted up from --seed")
    simulate.add_argument("--jobs", type=int, default=1, metavar="N", help="processes for --count")

    command("session", "JSON lines on standard input and output")

    verify = command("verify", "run saved sessions again and compare every line")
    verify.add_argument("files", nargs="+", metavar="FILE")
    verify.add_argument("--rejudge", action="store_true", help="list the verdicts that would differ today")

    replay = command("replay", "step through a saved session")
    replay.add_argument("file", metavar="FILE")
    replay.add_argument("--plain", action="store_true", help="line by line")
    replay.add_argument("--at", type=int, default=0, metavar="N", help="line to start at")

    score = command("score", "the points of a saved session: by person, kind of fault and phase")
    score.add_argument("file", metavar="FILE")
    score.add_argument("--format", choices=("text", "json"), default="text")

    check = command("check", "validate the data: text, coverage, cues, deadlock, blocking steps")
    check.add_argument("--graph", nargs=2, metavar=("ROLE", "PHASE"), help="draw a role's machine (Mermaid)")
    check.add_argument("--dot", action="store_true", help="with --graph: DOT instead of Mermaid")
    check.add_argument("--glyphs", action="store_true", help="show every rare character used")
    check.add_argument("--full", action="store_true", help="also list coverage, blocking steps and steps for review")

    text = command("text", "the reading text")
    text.add_argument("section", nargs="?", metavar="SECTION", help="phase or clause (5, P05, P05.012)")
    command("phases", "the 55 sections")
    command("roles", "who takes part", played=True)
    command("scenarios", "the named scenarios")
    rules = command("rules", "the standing rules behind the verdicts")
    rules.add_argument("rule", nargs="?", metavar="ID", help="a rule's id, a clause, a kind of fault, or words to find")
    rules.add_argument("--json", action="store_true", help="as JSON")
    glossary = command("glossary", "what each verb, place, thing and person is in this rite")
    glossary.add_argument("word", nargs="?", metavar="WORD", help="in Chinese, pinyin or English; or words to find")
    glossary.add_argument("--json", action="store_true", help="as JSON")
    vocabulary = command("vocabulary", "the words that acts are made of", played=True)
    vocabulary.add_argument("part", nargs="?", choices=("verbs", "places", "persons", "things"))
    vocabulary.add_argument("--json", action="store_true", help="as JSON")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0 fine, 1 not so, 2 wrong usage or bad input."""
    _streams()
    parser = _parser()
    options = parser.parse_args(argv)
    if hasattr(options, "lang"):
        from game.tongue import usual

        options.lang = options.lang or usual()
    from game.rite.yaml_strict import DataError
    from game.session.journal import JournalError

    try:
        return _run(options)
    except (UsageError, DataError, JournalError) as error:
        return _told(str(error))
    except FileExistsError as error:
        return _told(f"{error.filename} is there already; choose another name with --out")
    except BrokenPipeError:
        # Whoever read has gone: nothing more can be said, not even at the interpreter's end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _told(f"{error.filename or 'standard output'}: {error.strerror or error}")
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def _streams() -> None:
    """UTF-8 in every locale; what is no text stops nothing; a closed stream is an empty one."""
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_RDONLY))
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            errors = "surrogateescape" if stream is sys.stdin else "backslashreplace"
            stream.reconfigure(encoding="utf-8", errors=errors)


def _told(error: str) -> int:
    from game.clean import clean

    print(f"xiangshe: {clean(error)}", file=sys.stderr)
    return 2


def _book() -> Book:
    from game.paths import data_dir
    from game.rite.book import Book

    return Book(data_dir())


def _scenario(book: Book, options: argparse.Namespace) -> Scenario:
    from game.rite.scenario import Scenario, read_scenario

    if options.scenario in book.scenarios:
        scenario = book.scenarios[options.scenario]
    elif Path(options.scenario).suffix in (".yaml", ".yml"):
        scenario = read_scenario(Path(options.scenario))
    else:
        raise UsageError(f"no scenario {options.scenario!r}; one of {', '.join(book.scenarios)}, or a .yaml file")
    if options.reading:
        scenario = Scenario(scenario.id, {**scenario.options, "reading": options.reading}, scenario.zh, scenario.en)
    return scenario


def _roles(book: Book, scenario: Scenario, named: Sequence[str] | None) -> list[str]:
    """Those who are to be played, by whatever name they were called; the guest if nobody was."""
    from game.lookup import person_named

    return [person_named(book, scenario.options, name) for name in named or ["宾"]]


def _run(options: argparse.Namespace) -> int:
    name = options.command
    if name is None:
        return _title()
    if name in ("text", "phases", "roles", "scenarios", "vocabulary", "rules", "glossary"):
        from game import lookup

        book = _book()
        given = _scenario(book, options).options if hasattr(options, "scenario") else {}
        return lookup.show(book, name, options, given)
    runner = {
        "play": _play, "drill": _drill, "watch": _watch, "simulate": _simulate, "session": _session,
        "verify": _verify, "replay": _replay, "score": _score, "check": _check,
    }  # fmt: skip
    return runner[name](options)


def _needs_a_terminal(what: str) -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(f"{what} needs a terminal; without one, use the --plain form, simulate or replay --plain")
    if os.environ.get("TERM") == "dumb":
        raise UsageError(f"{what} needs a terminal that can place text, and TERM is dumb; use the --plain form")


def _screen(book: Book | Path, start: Start, lang: str) -> int:
    """The app, which speaks one language at a time: ``both`` is left to it."""
    from game.app.app import run

    return run(book, start, lang)


def _title() -> int:
    _needs_a_terminal("the screen")
    from game.app.app import Start
    from game.paths import data_dir

    return _screen(data_dir(), Start(), "both")


def _watch(options: argparse.Namespace) -> int:
    _needs_a_terminal("watch")
    from game.app.app import Start

    book = _book()
    first, last = book.range(options.first, options.last)
    start = Start("watch", scenario=_scenario(book, options), first=first, last=last, seed=options.seed)
    return _screen(book, start, options.lang)


def _play_on_screen(options: argparse.Namespace) -> int:
    _needs_a_terminal("play")
    from game.app.app import Start

    book = _book()
    if options.saved:
        return _screen(book, Start("open", path=Path(options.saved)), options.lang)
    first, last = book.range(options.first, options.last)
    scenario = _scenario(book, options)
    players = {role: options.level for role in _roles(book, scenario, options.role)}
    out = Path(options.out) if options.out else None
    start = Start("play", players, scenario, first, last, options.seed, out)
    return _screen(book, start, options.lang)


def _play(options: argparse.Namespace) -> int:
    if options.saved and options.role:
        raise UsageError("--open goes on in the roles of the saved session; leave --role out")
    if not options.plain:
        return _play_on_screen(options)
    from game.paths import new_save
    from game.session.session import Session

    book = _book()
    if options.saved:
        session = Session.open(book, Path(options.saved))
    else:
        scenario = _scenario(book, options)
        roles = _roles(book, scenario, options.role)
        first, last = book.range(options.first, options.last)
        out = Path(options.out) if options.out else new_save("-".join(roles))
        players = {role: options.level for role in roles}
        session = Session.new(book, scenario, first, last, players, options.seed, out)
    return _practised(session, options.lang)


def _practised(session: Session, lang: str) -> int:
    """Play line by line; the result of a drill is entered in the schedule."""
    from game import plain

    code = plain.play(session, sys.stdin, sys.stdout, lang)
    if session.is_drill:
        from game.messages import message
        from game.session.drill import Drills

        due = Drills(_schedule()).enter(session)
        for text in message("due_again" if due else "not_entered", lang, day=due):
            print(text)
    return code


def _schedule() -> Path:
    """Where the schedule of practice is kept."""
    from game.paths import user_data

    return user_data() / "drills.json"


def _drill(options: argparse.Namespace) -> int:
    if not options.plain:
        _needs_a_terminal("drill")
    from game.paths import new_save
    from game.session.acting import acting
    from game.session.drill import Drills
    from game.session.session import Session

    book = _book()
    scenario = _scenario(book, options)
    role = _roles(book, scenario, [options.role])[0] if options.role else None
    there = acting(book.rite(scenario.options, book.words(scenario.options)))
    if options.phase:
        phase, role = book.phase_id(options.phase), role or "宾"
        book.range(phase, phase)
        if role not in there.get(phase, ()):
            able = " ".join(str(int(p.split("-")[0])) for p, people in there.items() if role in people)
            raise UsageError(f"{role} has nothing to do in phase {phase}; he acts in {able or 'none'}")
    else:
        phase, role = Drills(_schedule()).most_overdue(there, role)
    players = {role: options.level}
    if not options.plain:
        from game.app.app import Start

        return _screen(book, Start("drill", players, scenario, phase, phase, options.seed), options.lang)
    out = new_save(f"drill-{role}")
    session = Session.new(book, scenario, phase, phase, players, options.seed, out, drill=True)
    return _practised(session, options.lang)


def _simulate(options: argparse.Namespace) -> int:
    from game.session import simulate

    book = _book()
    first, last = book.range(options.first, options.last)
    scenario = _scenario(book, options)
    if options.count < 1 or options.jobs < 1:
        raise UsageError("--count and --jobs must be at least 1")
    out = Path(options.out) if options.out else None
    if out is not None and not out.name:
        raise UsageError(f"--out {out} is a folder; name a file")
    if out is None and options.count > 1:
        raise UsageError("--count needs --out; the journals are named FILE-1, FILE-2 …")
    return simulate.simulate(book, scenario, first, last, options.seed, out, options.count, options.jobs)


def _session(options: argparse.Namespace) -> int:
    from game.protocol import serve

    return serve(_book(), sys.stdin, sys.stdout)


def _verify(options: argparse.Namespace) -> int:
    from game.clean import clean
    from game.session.journal import JournalError, JournalUnusable
    from game.session.replay import verify

    book, code = _book(), 0
    for name in options.files:
        try:
            report = verify(book, Path(name), options.rejudge)
        except JournalError as error:
            print(clean(error), file=sys.stderr)
            code = max(code, 2 if isinstance(error, JournalUnusable) else 1)
            continue
        print(clean(report.message))
        for line in report.changed:
            print(f"  {clean(line)}")
        code = max(code, 0 if report.same else 1)
    return code


def _replay(options: argparse.Namespace) -> int:
    if not options.plain:
        _needs_a_terminal("replay")
        from game.app.app import Start

        return _screen(_book(), Start("replay", path=Path(options.file), at=options.at), options.lang)
    from game.replay_plain import replay

    return replay(_book(), Path(options.file), sys.stdin, sys.stdout, options.lang, options.at)


def _score(options: argparse.Namespace) -> int:
    from game.session import breakdown

    return breakdown.command(_book(), options)


def _check(options: argparse.Namespace) -> int:
    from game.lookup import person_of_any
    from game.session import check

    book = _book()
    if options.graph:
        options.graph[0] = person_of_any(book, options.graph[0])
    return check.command(book, options)


if __name__ == "__main__":
    raise SystemExit(main())
