"""Writes the report of a training: the data that was used, the settings, the time of each stage, and the figures.

Texts of others are read from `--data` and counted, never copied. Without `--work` the sections on times and figures say that
there are none yet.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "reference"))
import data  # noqa: E402
from lexical import tokens  # noqa: E402

KINDS = {
    "terse": "two to seven words, typed in a hurry",
    "natural": "the problem in the words of a person who never read the description",
    "long": "30 to 70 words with context; the request is buried",
    "code": "with pasted code, a log, an error or a table row",
    "mixed": "two languages in one message",
    "other": "in another language",
    "meaning": "the English meaning of the message before it",
    "two": "two wishes, for two skills",
    "follow-up": "only makes sense after an earlier message, and still needs the skill",
    "turned-away": "follows a request, and no longer needs the skill",
    "near-miss": "the topic or words of a skill, but nothing to load it for",
    "adjacent": "a wish close by that this skill cannot fulfil",
}
LANGUAGES = {"german": "de", "spanish": "es", "french": "fr", "portuguese": "pt", "chinese": "zh", "japanese": "ja", "dutch": "nl",
             "turkish": "tr", "italian": "it", "polish": "pl", "korean": "ko", "arabic": "ar", "vietnamese": "vi", "russian": "ru"}  # fmt: skip
# The order of the logs, and what is said above their figures.
LOGS = {
    "encoder-1": "Encoder, first part",
    "encoder-2": "Encoder, second part",
    "encoder-3": "Encoder, third part",
    "reader": "Second reader",
    "calibration": "Calibration",
}
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
LAST_LINES = 120


def table(head: list[str], rows: list[list[object]]) -> str:
    def line(cells: list[object]) -> str:
        return "| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in cells) + " |"

    return "\n".join([line(head), "|" + "---|" * len(head), *map(line, rows)])


def purpose(message: data.Message) -> str:
    if data.is_trained(message):
        return "train"
    return "measure" if message.writer.startswith("test") or data.held(message.skill) else "fit"


def files(arguments: argparse.Namespace) -> str:
    """Every file that was read, with its size in lines and its hash: what was used can be told later."""
    own = [(f"own: {name}", arguments.own / name) for name in ("requests.jsonl", "general.txt", "general.test.txt", "invented.jsonl")]
    others = ["requests/skills.jsonl"]
    others += [f"match/{name}.{part}.jsonl" for name in ("clawskills", "metatool", "sealtools") for part in ("skills", "queries.dev")]
    rows = []
    for label, path in own + [(f"others: {name}", arguments.data / name) for name in others]:
        if path.exists():
            content = path.read_bytes()
            rows.append([label, sum(1 for line in content.split(b"\n") if line.strip()), hashlib.sha256(content).hexdigest()[:16]])
    return table(["file", "lines", "SHA-256 begins with"], rows)


def counts(messages: list[data.Message]) -> str:
    by_kind = Counter(m.kind for m in messages)
    split = Counter((m.kind, purpose(m)) for m in messages)
    rows = [[kind, KINDS.get(kind, ""), count, *(split[kind, part] for part in ("train", "fit", "measure"))]
            for kind, count in by_kind.most_common()]  # fmt: skip
    total = Counter(purpose(m) for m in messages)
    rows.append(["**all**", "", len(messages), total["train"], total["fit"], total["measure"]])
    return table(["kind", "what it is", "messages", "training part", "gate part", "measured part"], rows)


def repeated(messages: list[data.Message]) -> int:
    """Texts that are in more than one part, because two skills have the same message."""
    parts: dict[str, set[str]] = {}
    for message in messages:
        parts.setdefault(message.text, set()).add(purpose(message))
    return sum(len(found) > 1 for found in parts.values())


def languages(messages: list[data.Message]) -> str:
    found = Counter(LANGUAGES.get(m.lang, m.lang) for m in messages)
    return ", ".join(f"{name} {count:,}" for name, count in found.most_common())


def overlap(messages: list[data.Message], skills: dict[str, data.Skill]) -> tuple[str, str]:
    """Requests that share no content word with name and description of their skill: by kind and by writer."""
    words = {name: set(tokens(f"{skill.name} {skill.description}")) for name, skill in skills.items()}
    asked = [m for m in messages if m.kind in ("terse", "natural", "long", "code", "meaning") and m.skill in words]
    apart = {id(m) for m in asked if not words[m.skill] & set(tokens(m.text))}

    def rows(groups: dict[str, list[data.Message]]) -> list[list[object]]:
        return [[name, len(group), f"{100 * sum(id(m) in apart for m in group) / len(group):.1f} %"] for name, group in groups.items() if group]

    kinds = {kind: [m for m in asked if m.kind == kind] for kind in KINDS}
    by_kind = table(["kind", "requests", "without a common word"], rows({**kinds, "**all**": asked}))
    writers = sorted({m.writer for m in messages}, key=lambda name: (not name.isdigit(), int(name) if name.isdigit() else 0, name))
    own = {w: [m for m in messages if m.writer == w] for w in writers}
    natural = {row[0]: row[1:] for row in rows({w: [m for m in asked if m.writer == w and m.kind == "natural"] for w in writers})}
    by_writer = table(
        ["writer", "messages", "skills", "kinds", "natural requests", "of these without a common word"],
        [[w, len(own[w]), len({m.skill for m in own[w]}), len({m.kind for m in own[w]}), *natural.get(w, [0, "–"])] for w in writers],
    )
    return by_kind, by_writer


def data_part(arguments: argparse.Namespace) -> str:
    messages = data.requests(arguments.own)
    skills = {s.id: s for s in data.pool(arguments.data / "requests" / "skills.jsonl")}
    skills.update({s.id: s for s in data.bundled(arguments.skills)})
    invented = arguments.own / "invented.jsonl"
    if invented.exists():
        skills.update({s.id: s for s in data.pool(invented)})
    untrained = sum(m.skill not in skills for m in messages)
    # Some messages are for skills of the community pool alone: they can be measured, but nothing is trained on them.
    for skill in data.pool(arguments.data / "match" / "clawskills.skills.jsonl"):
        skills.setdefault(skill.id, skill)
    by_kind, by_writer = overlap(messages, skills)
    unknown = sum(m.skill not in skills for m in messages)
    asked = {m.skill for m in messages}
    writers = arguments.own / "writers.md"
    writers = writers.read_text("utf-8").strip() if writers.exists() else "There is no `writers.md` beside the messages."
    note = f"\n{untrained:,} messages are for skills that are not in `requests/skills.jsonl`: nothing is trained on them" if untrained else ""
    note += f", and for {unknown:,} of them the data has no text of the skill.\n" if unknown else ".\n" if untrained else ""
    return f"""## Data

{len(messages):,} messages for {len(asked):,} skills, {sum(name.startswith("bundled/") for name in asked)} of them bundled, and
{len(data.general(arguments.own)):,} general messages that ask for no skill. The texts of skills and the judged sets are those of others and are read from
the folder of `--data`; none of them is part of the repository. Their sources and licences are in [README.md](README.md).

{files(arguments)}

### How messages were written

{writers}

{counts(messages)}

The hash of a skill or message decides on the part ([README.md](README.md)); {repeated(messages)} texts are in more than one part. Not
every stage uses every kind: the encoder requests, near misses and adjacent wishes; the reader the same without `mixed` and `two`;
the bridge, which the calibration fits, requests and `other` beside its `meaning`. No stage is trained on `follow-up` and `turned-away`.

Languages: {languages(messages)}.
{note}
### Words in common

Content words are those of `models/reference/lexical.py` (`tokens`: without stop words, reduced to stems). A request without one in common with
name and description of its skill cannot be found by their words.

{by_kind}

{by_writer}
"""


def settings_part(path: Path) -> str:
    settings = json.loads(path.read_text("utf-8"))
    return f"## Settings\n\nSeed {settings['seed']}. From `settings.json`:\n\n```json\n{path.read_text('utf-8').strip()}\n```\n"


def times_part(work: Path | None) -> str:
    path = work / "stages.json" if work else None
    if path is None or not path.exists():
        return "## Times\n\nNo times yet: `cargo xtask train` writes them.\n"
    found = json.loads(path.read_text("utf-8"))
    order = [*LOGS, "packs", "report"]
    names = sorted(found, key=lambda name: order.index(name) if name in order else len(order))
    rows = [[n, f"{found[n]['seconds'] / 60:.1f}", found[n]["calls"], found[n]["threads"], "yes" if found[n]["is_done"] else "no"] for n in names]
    return "## Times\n\n" + table(["piece", "minutes", "calls", "threads", "done"], rows) + "\n"


def figures_of(log: Path) -> str:
    """The last figures of a log: everything from the last heading that is not indented on."""
    text = log.read_text("utf-8").rstrip().splitlines()
    lines = [line for line in text if re.match(r"\s|\w.*:$|\d+ (messages|steps)|gate,|ranking,|the packs", line)]
    if log.stem == "calibration":
        return "\n".join(lines[-LAST_LINES:])
    starts = [at for at, line in enumerate(lines) if not line.startswith(" ") and at + 1 < len(lines) and lines[at + 1].startswith(" ")]
    return "\n".join(lines[starts[-1] :] if starts else lines[-LAST_LINES:])


def figures_part(work: Path | None) -> str:
    found = []
    for name, label in LOGS.items():
        log = work / "logs" / f"{name}.log" if work else None
        if log and log.exists():
            found.append(f"### {label}\n\n```text\n{figures_of(log)}\n```")
    return "## Figures\n\n" + BEGIN + "\n\n" + ("\n\n".join(found) or "No figures yet: the stage `report` fills them in.") + "\n\n" + END + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data.add_arguments(parser)
    parser.add_argument("--settings", type=Path, default=data.HERE / "settings.json")
    parser.add_argument("--work", type=Path, help="work folder of the training: times and logs")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    parts = [
        "# Training report\n\nWritten by `cargo xtask train --stage report`.\n",
        data_part(arguments),
        settings_part(arguments.settings),
        times_part(arguments.work),
        figures_part(arguments.work),
    ]
    arguments.out.write_text("\n".join(parts), "utf-8")
    print(f"wrote {arguments.out}")


if __name__ == "__main__":
    main()
