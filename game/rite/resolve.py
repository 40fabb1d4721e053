"""Raw choreography + scenario → the tree that is performed: 如初 written out, settled branches taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.core.choreography import Act, Forbid, Group, Happening, Loop, Meet, Node, Phase, Rite, When
from game.core.vocabulary import Roster
from game.rite.load import RawRite
from game.rite.schema import BODIES, kind_of
from game.rite.yaml_strict import DataError, Record

_FIELDS = [
    "times",
    "manner",
    "object",
    "which",
    "count",
    "to",
    "from",
    "into",
    "hand",
    "via",
    "at",
    "facing",
    "posture",
    "speech",
]
_REPLACED = {*_FIELDS, "who", "each", "relay", "verb"}
_REFERRED = ("re", "after", "opens")


def resolve(raw: RawRite, options: Mapping[str, Any], roster: Roster, order: Mapping[str, int]) -> Rite:
    """The choreography of one scenario. ``order`` maps phase ids to their number in the text."""
    builder = _Builder(_Expander(raw), options, roster)
    phases = []
    for phase_id in sorted(raw.phases, key=lambda p: order.get(p, 999)):
        if phase_id not in order:
            raise DataError(f"{raw.phases[phase_id].record.where}: phase {phase_id} is not one of text/phases.tsv")
        phases.append(builder.phase(phase_id, order[phase_id]))
    rite = Rite(tuple(phases), roster, tuple(builder.nodes))
    _check_references(rite)
    return rite


class _Expander:
    """Writes out ``like``."""

    def __init__(self, raw: RawRite) -> None:
        self.raw = raw
        self.done: dict[str, Record] = {}
        self.under_way: list[str] = []

    def source(self, step: str, where: str) -> Record:
        """The referred passage with its own ``like``s already written out."""
        if step not in self.done:
            if step in self.under_way:
                raise DataError(f"{where}: like {step} refers to itself ({' → '.join(self.under_way)})")
            record = self.raw.records.get(step)
            if record is None and "__" in step:
                record = self._inside(step, where)
            if record is None:
                raise DataError(f"{where}: like {step}: there is no such step")
            self.under_way.append(step)
            self.done[step] = self.expand(record)
            self.under_way.pop()
        return self.done[step]

    def _inside(self, step: str, where: str) -> Record | None:
        outer = self.source(step.split("__")[0], where)
        found = [r for r in _all(outer) if r.get("id") == step]
        return found[0] if found else None

    def expand(self, record: Record) -> Record:
        """The record with every ``like`` inside it replaced by what it stands for."""
        if "like" in record:
            return self._performed(record)
        new = record.copy_with()
        for body in BODIES:
            if isinstance(record.get(body), list):
                new[body] = [self.expand(child) for child in record[body]]
        return new

    def _performed(self, record: Record) -> Record:
        if not record.get("id"):
            raise DataError(f"{record.where}: a like needs an id of its own")
        source = self.source(record["like"], record.where)
        ids = {r["id"] for r in _all(source) if r.get("id")}
        for key in (*record.get("without", []), *record.get("set", {})):
            if key not in ids:
                raise DataError(f"{record.where}: {key} is not a step of {record['like']}")
        new = self._rewrite(source, record, ids)
        assert new is not None
        steps = next((new[b] for b in ("seq", "par", "any_order") if b in new), None)
        kind = next((b for b in ("par", "any_order") if b in new), "seq")
        if steps is None:
            steps = [new]
        if record.get("reverse"):
            steps = list(reversed(steps))
        result = Record({"id": record["id"], kind: steps, "clauses": record.get("clauses", [])})
        result.where = record.where
        return result

    def _rewrite(self, record: Record, like: Record, ids: set[str]) -> Record | None:
        own = record.get("id", "")
        if own in like.get("without", []):
            return None
        new = record.copy_with()
        if own:
            new["id"] = f"{like['id']}__{own}"
        for key in _REPLACED & new.keys():
            new[key] = _replaced(new[key], like)
        for key, value in like.get("set", {}).get(own, {}).items():
            if value is None:
                new.pop(key, None)
            else:
                new[key] = value
        for key in _REFERRED:
            if key in new:
                new[key] = self._renamed(new[key], like["id"], ids)
        if "when" in new:
            new["when"] = self._renamed_condition(new["when"], like["id"], ids)
        if "forbid" in new:
            new["forbid"] = {k: _replaced(v, like) for k, v in new["forbid"].items()}
            if new.get("scope"):
                new["scope"] = self._renamed(new["scope"], like["id"], ids)
        new["clauses"] = list(dict.fromkeys([*like.get("clauses", []), *new.get("clauses", [])]))
        for body in BODIES:
            if isinstance(record.get(body), list):
                children = [self._rewrite(child, like, ids) for child in record[body]]
                new[body] = [c for c in children if c is not None]
        return new

    def _renamed(self, value: Any, prefix: str, ids: set[str]) -> Any:
        if isinstance(value, list):
            return [self._renamed(v, prefix, ids) for v in value]
        return f"{prefix}__{value}" if value in ids else value

    def _renamed_condition(self, condition: Mapping[str, Any], prefix: str, ids: set[str]) -> dict[str, Any]:
        new: dict[str, Any] = {}
        for key, value in condition.items():
            if key == "outcome":
                new[key] = self._renamed(value, prefix, ids)
            elif key == "not":
                new[key] = self._renamed_condition(value, prefix, ids)
            elif key in ("all", "any"):
                new[key] = [self._renamed_condition(c, prefix, ids) for c in value]
            else:
                new[key] = value
        return new


def _all(record: Record) -> list[Record]:
    found = [record]
    for body in BODIES:
        if isinstance(record.get(body), list):
            for child in record[body]:
                found += _all(child)
    return found


def _replaced(value: Any, like: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [_replaced(v, like) for v in value]
    if not isinstance(value, str):
        return value
    table = dict(like.get("with", {}))
    for a, b in like.get("swap", []):
        table[a], table[b] = b, a
    if value in table:
        return table[value]
    for n, key in enumerate(k for k in table if "{" in k):
        value = value.replace(key, f"\0{n}\0")
    for n, key in enumerate(k for k in table if "{" in k):
        value = value.replace(f"\0{n}\0", table[key])
    return value


class _Builder:
    def __init__(self, expander: _Expander, options: Mapping[str, Any], roster: Roster) -> None:
        self.expander = expander
        self.options = options
        self.roster = roster
        self.nodes: list[Node] = []
        self.forbids: list[tuple[Record, Node]] = []

    def phase(self, phase_id: str, number: int) -> Phase:
        spec = self.expander.raw.phases[phase_id].spec
        record = self.expander.raw.phases[phase_id].record
        self.forbids = []
        top = Record({"seq": [self.expander.expand(s) for s in spec.steps], "id": f"p{number:02d}", "clauses": []})
        top.where = record.where
        root = self.build(top)
        phase = Phase(phase_id, number, root, tuple(spec.clauses), spec.beside.get("step", ""))
        if root is not None:
            self._finish(root, phase, None, 0, ())
        inside = {n.id: n for n in root.walk() if n.id} if root else {}
        forbids = []
        for rec, scope in self.forbids:
            if rec.get("scope"):
                if rec["scope"] not in inside:
                    raise DataError(f"{rec.where}: scope {rec['scope']} is not a step of this phase")
                scope = inside[rec["scope"]]
            pattern = {k: _tuple(v) for k, v in rec["forbid"].items()}
            forbids.append(Forbid(pattern, scope, tuple(rec.get("clauses", []))))
        phase.forbids = tuple(forbids)
        return phase

    def _finish(self, node: Node, phase: Phase, parent: Node | None, place: int, loops: tuple[Loop, ...]) -> None:
        node.phase, node.parent, node.place, node.loops = phase, parent, place, loops
        inner = (*loops, node) if isinstance(node, Loop) else loops
        for n, child in enumerate(node.children()):
            self._finish(child, phase, node, n, inner)

    def _number(self) -> int:
        self.nodes.append(None)  # type: ignore[arg-type]
        return len(self.nodes) - 1

    def _keep(self, node: Node) -> Node:
        self.nodes[node.nid] = node
        return node

    def build(self, record: Record) -> Node | None:
        """The node of a record; None where the scenario leaves nothing to do."""
        kind = kind_of(record)
        if kind == "when":
            return self._when(record)
        if kind == "forbid":
            return None
        if kind in ("seq", "par", "any_order"):
            return self._group(record, kind, record[kind])
        nid = self._number()
        base = (nid, record.get("id"), tuple(record.get("clauses", [])), record.where)
        if kind == "verb":
            return self._keep(_act(base, record))
        if kind == "choose":
            fields: dict[str, tuple[str | int, ...]] = {}
            return self._keep(
                Act(*base, record["who"], "择", fields, record.get("basis", "文"), choices=tuple(record["choose"]))
            )
        if kind == "happening":
            return self._keep(Happening(*base, record["happening"]))
        if kind == "become":
            return self._keep(Happening(*base, "become", record["who"], record["become"]))
        body = self._group(_body(record, "do"), "seq", record["do"])
        if body is None:
            self.nodes.pop()
            return None
        if kind == "meet":
            return self._keep(Meet(*base, record["meet"], body))
        if kind == "relay":
            return self._keep(Loop(*base, record["relay"], record["as"], "relay", 1, body, record["opens"]))
        mode = record.get("mode", "次")
        return self._keep(Loop(*base, record["each"], record["as"], mode, record.get("times", 1), body))

    def _group(self, record: Record, kind: str, steps: list[Record]) -> Node | None:
        nid = self._number()
        children = [c for c in (self.build(s) for s in steps) if c is not None]
        if not children:
            del self.nodes[nid:]
            return None
        node = Group(nid, record.get("id"), tuple(record.get("clauses", [])), record.where, kind, tuple(children))
        self.forbids += [(rec, node) for step in steps for rec in self._forbids(step)]
        return self._keep(node)

    def _forbids(self, step: Record) -> list[Record]:
        """What a step forbids while the group around it is under way: also a settled branch that does nothing else."""
        if "forbid" in step:
            return [step]
        if "when" not in step or (settled := self._settled(step["when"], step.where)) is None:
            return []
        inside = step.get("do" if settled else "else", [])
        return inside if all("forbid" in rec for rec in inside) else []

    def _when(self, record: Record) -> Node | None:
        settled = self._settled(record["when"], record.where)
        if settled is not None:
            body = _body(record, "do" if settled else "else")
            return self._group(body, "seq", body["seq"])
        nid = self._number()
        then = self._group(_body(record, "do"), "seq", record.get("do", []))
        otherwise = self._group(_body(record, "else"), "seq", record.get("else", []))
        if then is None and otherwise is None:
            del self.nodes[nid:]
            return None
        return self._keep(
            When(nid, record.get("id"), tuple(record.get("clauses", [])), record.where, record["when"], then, otherwise)
        )

    def _settled(self, condition: Mapping[str, Any], where: str) -> bool | None:
        (name, value), *_ = condition.items()
        if name == "scenario":
            got = self.options.get(value)
            if "is" not in condition:
                return bool(got)
            wanted = condition["is"]
            return got in (wanted if isinstance(wanted, list) else [wanted])
        if name == "present":
            return any(m in self._everybody() for m in self.roster.members(value))
        if name == "reading":
            return bool(self.options.get("reading", "郑") == value)
        if name == "not":
            inner = self._settled(value, where)
            return None if inner is None else not inner
        if name in ("all", "any"):
            inners = [self._settled(c, where) for c in value]
            decisive = name == "any"
            if decisive in inners:
                return decisive
            return None if None in inners else not decisive
        if name in ("first", "last", "member", "outcome"):
            return None
        raise DataError(f"{where}: unknown condition {name}; see docs/choreography.md §4")

    def _everybody(self) -> set[str]:
        return {p.id for p in self.roster.persons} | set(self.roster.pairs)


def _body(record: Record, key: str) -> Record:
    body = Record({"seq": record.get(key, [])})
    body.where = record.where
    return body


def _tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def _act(base: tuple[int, str | None, tuple[str, ...], str], record: Record) -> Act:
    fields = {k: _tuple(record[k]) for k in _FIELDS if record.get(k) not in (None, "")}
    fields.setdefault("times", (1,))
    after = record.get("after", "")
    return Act(
        *base,
        record["who"],
        record["verb"],
        fields,
        record.get("basis", "文"),
        record.get("words", ""),
        record.get("note", ""),
        record.get("re", ""),
        tuple(_tuple(after)) if after else (),
        record.get("may", False),
        record.get("fault"),
        record.get("trailing", False),
    )


def _check_references(rite: Rite) -> None:
    known = rite.by_id
    for node in rite.nodes:
        if isinstance(node, Act):
            if not node.id:
                raise DataError(f"{node.where}: an act needs an id")
            for ref in (*node.after, *([node.re] if node.re else [])):
                if ref not in known:
                    raise DataError(f"{node.where}: {node.id} refers to {ref}, which is not there in this scenario")
        if isinstance(node, Loop) and node.mode == "relay" and node.opens not in known:
            raise DataError(f"{node.where}: opens {node.opens}: there is no such step")
        if isinstance(node, When):
            for nid, _ in _deciders(rite, node):
                if nid < 0:
                    raise DataError(f"{node.where}: a condition refers to a step that is not there")


def _deciders(rite: Rite, node: When) -> tuple[tuple[int, tuple[int, ...]], ...]:
    try:
        return rite.deciders(node.condition, (0,) * len(node.loops))
    except KeyError as error:
        raise DataError(f"{node.where}: condition refers to {error}, which is not there in this scenario") from None
