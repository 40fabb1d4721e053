"""What the text face says of itself, in Chinese and English. Ritual words come from the data."""

from __future__ import annotations

from typing import NamedTuple


class Word(NamedTuple):
    """What is said otherwise in either language."""

    zh: str
    en: str


MESSAGES: dict[str, tuple[str, str]] = {
    "mode": ("平文之式：一行一事，可听可读。", "Plain mode: one thing a line, for eye or ear."),
    "how": (
        "择以数，或书其辞；书「助」得助，书「去」则存而去。",
        "Choose by number, or type a phrase. 'help' helps, 'quit' saves and leaves.",
    ),
    "playing": ("{role}，{level}，自{first}至{last}。", "You are {role}, level {level}, from phase {first} to {last}."),
    "playing_one": ("{role}，{level}，{first}。", "You are {role}, level {level}, in phase {first}."),
    "drilling": ("温习{phase}：{role}，{level}。", "Drill of phase {phase}: you are {role}, level {level}."),
    "not_entered": ("未毕，不入温习之期。", "Not played to its end: nothing is entered in the schedule of drills."),
    "saved": ("存于 {path}", "Saved in {path}"),
    "phase": ("节 {phase}", "Phase {phase}"),
    "due": ("当：{what}", "Due: {what}"),
    "your_turn": ("轮到{role}。{due}", "{role}, it is your turn.{due}"),
    "type": ("书其辞：", "Type your act."),
    "choices": ("择一：", "Choose one:"),
    "right": ("正。", "Right."),
    "leaves_undone": (
        "此时他人皆不得行；再言待，则阙所当为，是失也。",
        "Nobody else can act now; wait again to leave undone what is due: a fault.",
    ),
    "waiting": ("众方待{role}：{what}", "They wait for {role}: {what}"),
    "owed": ("所欠：{what}", "Owed: {what}"),
    "make_good": ("先补所欠：择之，或书其辞。", "Make good what you owe first: choose it, or type it."),
    "nothing_due": ("今无所当。书「待」以俟。", "Nothing is due to you now. 'wait' lets the others go on."),
    "no_hint": ("君子自知所当。", "At level 君子 nothing is told."),
    "unknown": ("无第 {n} 项。", "There is no choice {n}."),
    "undone": ("已反至第 {n} 行。", "Taken back to line {n}."),
    "over": ("礼毕。", "The rite is over."),
    "score": ("{role} 得 {points}。", "{role}: points {points}."),
    "phase_score": ("节 {phase}：{points}", "Phase {phase}: {points}"),
    "faults": ("失：{faults}", "Faults: {faults}"),
    "no_faults": ("无失。", "No faults."),
    "where": (
        "{role} {place}，面{facing}，{posture}。手：{hands}。服：{dress}。",
        "{role} is {place}, facing {facing}, {posture}. Hands: {hands}. Dress: {dress}.",
    ),
    "empty": ("空", "empty"),
    "others_where": ("{who} {place}，面{facing}。", "{who}: {place}, facing {facing}."),
    "due_again": ("再习：{day}", "Due again: {day}"),
    "nobody_else": ("此处无他人。", "Nobody else is here."),
    "nothing_enacted": ("尚未有所行。", "Nothing has been enacted yet."),
    "list_phases": (
        "节、其经文首尾（· 尚不可行，惟可读）",
        "Phase, what it is, its clauses (· can be read, not yet played)",
    ),
    "list_roles": (
        "人、所行之节与事数（04:17 为第四节十七事）",
        "Part, who that is, the phases in which he acts and how often (04:17 is seventeen acts in phase 4)",
    ),
    "list_scenarios": ("礼之名、在者与不同之处", "Name, who is present and what is different"),
    "language": ("今言中文。", "English from now on."),
    "left": (
        "已存，可续：xiangshe play --plain --open {path}",
        "Saved; go on with: xiangshe play --plain --open {path}",
    ),
    "help": (
        "数：择。辞：如「西阶上 北面 再拜 主人」。"
        "w 何以（何以 N：问第 N 行，何以 爵：问其物），r 谁：在者，何处：我所在，当何：所当，再说：复述，"
        "a 案：所行，c 经：经文，"
        "0 诸动词，d 待：众行，x 一步：众行一事，f 反，e 语：易为英文，? 助，q 去。",
        "A number chooses. A phrase acts: 'bow twice to host'. "
        "w why (why N: of line N, why host: of a person or word), r who is here, where am I, due, repeat, "
        "a account, c text, 0 verbs, "
        "d wait, x step (one act of the others), f undo, e language, ? help, q quit.",
    ),
}  # fmt: skip


def message(key: str, lang: str, **values: object) -> list[str]:
    """One message as lines: one in ``zh`` or ``en``, two in ``both``. A value may be a Word."""
    found = []
    for n, text in enumerate(MESSAGES[key]):
        said = text.format(**{k: v[n] if isinstance(v, Word) else v for k, v in values.items()})
        found.append(said[:1].upper() + said[1:])
    zh, en = found
    return {"zh": [zh], "en": [en]}.get(lang, [zh, en])
