"""Figures of an encoder on sets that it was not trained on."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parent.parent / "reference"))
import data  # noqa: E402
from lexical import Lexicon, rarity_table  # noqa: E402


def auroc(positive: np.ndarray, negative: np.ndarray) -> float:
    if not len(positive) or not len(negative):
        return float("nan")
    return float((positive[:, None] > negative).mean() + 0.5 * (positive[:, None] == negative).mean())


def ranks(scores: np.ndarray, gold: list[set[int]]) -> np.ndarray:
    found = [min((line > line[row]).sum() + 1 for row in wanted) for line, wanted in zip(scores, gold)]
    return np.array(found)


class Bench:
    """All sets with their lexical scores, made once and read by every encoder."""

    def __init__(self, folder: Path, skills: Path, own_messages: Path = data.HERE):
        self.claws = data.judged(folder, "clawskills")
        self.meta = data.judged(folder, "metatool")
        self.seal = data.judged(folder, "sealtools")
        table, documents = rarity_table([[vars(s) for s in w.skills] for w in (self.claws, self.meta, self.seal)])
        self.lexicon = Lexicon(table, documents)
        own = [s for s in data.pool(folder / "requests" / "skills.jsonl")]
        known = {s.id for s in self.claws.skills}
        self.bodies = {s.id: s.body for s in self.claws.skills}
        self.bundled = data.bundled(skills)
        # Held-back skills are looked for among everything that messages were written for and the whole community pool.
        self.wide = self.claws.skills + [s for s in own if s.id not in known]
        self.sets: dict[str, tuple[list[data.Skill], list[str], list[set[int]]]] = {}
        self.nothing: dict[str, tuple[list[data.Skill], list[str]]] = {}
        rows = self.claws.rows()
        for label, chosen in (
            ("claws en", lambda q: q["lang"] == "en"),
            ("claws other", lambda q: q["lang"] != "en"),
        ):
            picked = [q for q in self.claws.messages if q["kind"] == "positive" and chosen(q)]
            self.sets[label] = (self.claws.skills, [q["query"] for q in picked], [{rows[g] for g in q["gold"]} for q in picked])
        none = [q["query"] for q in self.claws.messages if q["kind"] == "none" and q["lang"] == "en"]
        self.nothing["claws none"] = (self.claws.skills, none)
        wide = {s.id: row for row, s in enumerate(self.wide)}
        requests = data.requests(own_messages)
        for kind in ("terse", "natural", "long", "meaning", "other", "near-miss"):
            picked = [m for m in requests if m.kind == kind and m.skill in wide and data.held(m.skill)]
            if kind == "near-miss":
                self.nothing["held near"] = (self.wide, [m.text for m in picked])
            else:
                self.sets[f"held {kind}"] = (self.wide, [m.text for m in picked], [{wide[m.skill]} for m in picked])
        for label, world in (("metatool", self.meta), ("sealtools", self.seal)):
            rows = world.rows()
            picked = [q for q in world.messages if q["kind"] == "positive" and data.held(q["qid"], 4)]
            self.sets[label] = (world.skills, [q["query"] for q in picked], [{rows[g] for g in q["gold"]} for q in picked])
            none = [q["query"] for q in world.messages if q["kind"] == "none" and data.held(q["qid"], 4)]
            if none:
                self.nothing[f"{label} none"] = (world.skills, none)
        rows = {s.id: row for row, s in enumerate(self.bundled)}
        test = [m for m in requests if m.writer.startswith("test") and m.skill in rows]
        for kind in ("terse", "natural", "long"):
            picked = [m for m in test if m.kind == kind]
            if picked:
                self.sets[f"bundled {kind}"] = (self.bundled, [m.text for m in picked], [{rows[m.skill]} for m in picked])
        for kind in ("near-miss", "adjacent"):
            picked = [m.text for m in test if m.kind == kind]
            if picked:
                self.nothing[f"bundled {kind}"] = (self.bundled, picked)
        self.words: dict[str, np.ndarray] = {}
        for label, (skills_, texts, *_) in {**self.sets, **self.nothing}.items():
            self.words[label] = self.lexicon.scores(texts, [vars(s) for s in skills_]).astype(np.float32)

    def figures(self, encode, passage, nulls: list[str], weights=(0.0, 0.6, 1.1)) -> dict[str, dict]:
        """`encode` makes vectors of texts, `passage` the text of a skill; scores are z over null sentences + λ·words."""
        pools: dict[int, np.ndarray] = {}
        sentences = encode(nulls)
        found: dict[str, dict] = {}
        best: dict[str, dict[float, np.ndarray]] = {}
        for label, entry in {**self.sets, **self.nothing}.items():
            skills, texts = entry[0], entry[1]
            if id(skills) not in pools:
                pools[id(skills)] = encode([passage(s) for s in skills])
            passages = pools[id(skills)]
            cosines = sentences @ passages.T
            z = (encode(texts) @ passages.T - cosines.mean()) / cosines.std()
            best[label] = {}
            for weight in weights:
                scores = z + weight * self.words[label]
                best[label][weight] = scores.max(1)
                if label in self.sets:
                    at = ranks(scores, entry[2])
                    found.setdefault(label, {"n": len(at)})[weight] = ((at <= 1).mean(), (at <= 5).mean())
        pairs = [("claws en", "claws none"), ("held natural", "held near"), ("metatool", "metatool none"),
                 ("bundled natural", "bundled near-miss"), ("bundled natural", "bundled adjacent")]  # fmt: skip
        for asked, not_asked in pairs:
            if asked in best and not_asked in best:
                found[f"AUROC {not_asked}"] = {w: auroc(best[asked][w], best[not_asked][w]) for w in weights}
        return found


def show(found: dict[str, dict]) -> str:
    rows = []
    for label, entry in found.items():
        cells = []
        for weight, value in entry.items():
            if weight == "n":
                continue
            cells.append(f"λ{weight} " + ("/".join(f"{v:.3f}" for v in value) if isinstance(value, tuple) else f"{value:.3f}"))
        rows.append(f"  {label:18} {'n ' + str(entry['n']) if 'n' in entry else '':7} " + "  ".join(cells))
    return "\n".join(rows)
