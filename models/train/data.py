"""What the models are trained and measured with.

Own messages lie beside this file (`requests.jsonl`, `general.txt`), or in the folder of `--own`. Texts of others are read
from `--data`, a folder with

    requests/skills.jsonl             id, name, description of the skills the messages are for
    match/<set>.skills.jsonl          pools: clawskills (with body), metatool, sealtools
    match/<set>.queries.dev.jsonl     judged messages

A skill is held back for measuring when the hash of its id says so, whoever asks; the same for messages of the sets.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
REQUEST = ("terse", "natural", "long", "meaning", "code", "mixed", "two")
DENIALS = ("not for ", "not when ", "not if ", "not as ", "do not use ", "don't use ", "don’t use ", "never use ",
           "not intended for ", "not suitable for ")  # fmt: skip
BODY_CHARS = 1500


def remainder(text: str, parts: int) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % parts


def held(identifier: str, one_in: int = 10) -> bool:
    return remainder(identifier, one_in) == 0 and not identifier.startswith("bundled/")


def calibrates(message: "Message") -> bool:
    """Messages on which the gate is fitted: no model may have seen them."""
    if message.skill.startswith("bundled/"):
        return remainder(message.text, 10) == 1
    return remainder(message.skill, 20) == 11


def is_trained(message: "Message") -> bool:
    return not (held(message.skill) or calibrates(message) or message.writer.startswith("test"))


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def spaced(name: str) -> str:
    """`get-tldr` is `get tldr`, `getUserInfo` is `get User Info`."""
    return " ".join(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", re.sub(r"[\W_]+", " ", name)).split())


def affirmed(text: str) -> str:
    """Without the sentences that say what the skill is not for."""
    parts = re.findall(r"[^.!?;\n]*[.!?;\n]|[^.!?;\n]+$", text)
    kept = [part for part in parts if not re.sub(r"^\W+", "", part).lower().startswith(DENIALS)]
    return "".join(kept).strip()


@dataclass
class Skill:
    id: str
    name: str
    description: str
    body: str = ""

    def passage(self, is_short: bool = False) -> str:
        """What stands for the skill; shortened to its first sentence, as many authors write no more."""
        name, text = spaced(self.name), affirmed(self.description)
        if is_short:
            text = re.split(r"(?<=[.!?;])\s", text, maxsplit=1)[0][:160]
        return f"{name}: {text}" if name and text else name + text

    def beginning(self) -> str:
        return re.sub(r"\s+", " ", re.sub(r"[#*`_|>]+", " ", self.body[:BODY_CHARS])).strip()


@dataclass
class Message:
    text: str
    skill: str
    kind: str
    lang: str = "en"
    writer: str = ""
    other: str | None = None


@dataclass
class World:
    """A pool and the messages judged on it."""

    skills: list[Skill]
    messages: list[dict] = field(default_factory=list)

    def rows(self) -> dict[str, int]:
        return {skill.id: row for row, skill in enumerate(self.skills)}


def pool(path: Path) -> list[Skill]:
    return [Skill(d["id"], d["name"], d["description"], d.get("body", "")) for d in lines(path)]


def judged(data: Path, name: str) -> World:
    return World(pool(data / "match" / f"{name}.skills.jsonl"), lines(data / "match" / f"{name}.queries.dev.jsonl"))


def bundled(skills: Path) -> list[Skill]:
    """The skills that the program brings along."""
    found = []
    for path in sorted(skills.glob("*/SKILL.md")):
        _, front, body = path.read_text("utf-8").split("---\n", 2)
        description = re.search(r"^description: *(?:>-?\n)?((?:.+\n)(?: +.+\n)*)", front, re.M)
        text = " ".join(description.group(1).split()) if description else ""
        if text[:1] in "\"'":
            text = text[1:-1].replace('\\"', '"').replace("''", "'")
        found.append(Skill("bundled/" + path.parent.name, path.parent.name, text, body))
    return found


def requests(own: Path = HERE) -> list[Message]:
    found = []
    for entry in lines(own / "requests.jsonl"):
        found.append(Message(entry["message"], entry["skill"], entry["kind"], entry.get("lang", "en"),
                             str(entry.get("writer", "")), entry.get("other")))  # fmt: skip
    return found


def general(own: Path = HERE) -> list[str]:
    return [line.strip() for line in (own / "general.txt").read_text("utf-8").splitlines() if line.strip()]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="folder with the texts of others")
    parser.add_argument("--own", type=Path, default=HERE, help="folder with the messages that were written for this project")
    parser.add_argument("--skills", type=Path, default=HERE.parent.parent / "skills", help="folder with the bundled skills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
