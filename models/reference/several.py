#!/usr/bin/env python3
"""How often a message that asks for several skills loads them, and one that asks for one loads a second.

    several.py --data DIR --vectors DIR --calibration F.json --weights F.safetensors --wheel F.whl

`--calibration` is what selection.py writes; weights and wheel as for encode.py.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import numpy as np

from encode import load_minilm
from lexical import Lexicon, rarity_table
from selection import HERE, LEXICAL, LOAD, SETS, SUGGEST, load_set, unit

OPENERS = set((HERE / "openers.txt").read_text("utf-8").split())
FILLERS = {"also", "then", "please", "finally", "additionally", "lastly", "maybe", "afterwards"}
JOINTS = {"and", "then", "plus"}
CLAUSE_BAR, MOST = 0.9, 3


def bare(word: str) -> str:
    return word.strip(".,;:!?\"'()[]“”‘’").lower()


def clauses(text: str) -> list[str]:
    """The requests of a message: its sentences, cut where "and", "then" or "plus" opens a new one."""
    words = [(match.start(), match.end(), match.group()) for match in re.finditer(r"\S+", text)]
    parts, start = [], 0
    for index, (begin, _, word) in enumerate(words):
        if index == 0:
            continue
        end, previous = words[index - 1][1], words[index - 1][2].rstrip("\"')”’]")
        if previous[-1:] in set(".!?;") - {""} or "\n" in text[end:begin]:
            parts.append(text[start:end])
            start = begin
        elif word.lower() in JOINTS:
            rest = [bare(other) for _, _, other in words[index + 1 :]]
            first = next((other for other in rest if other not in FILLERS), "")
            if first in OPENERS:
                parts.append(text[start:end])
                start = words[index + 1][0]
    found: list[str] = []
    for part in [*parts, text[start:]]:
        part = part.strip(" \t\n.,;:!?\"'")
        if found and part and (len(part.split()) < 3 or len(found[-1].split()) < 3):
            found[-1] += " " + part
        elif part:
            found.append(part)
    return found[:4] if len(found) > 1 else []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("data", "vectors", "calibration", "weights", "wheel"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    arguments = parser.parse_args()
    known = json.loads(arguments.calibration.read_text("utf-8"))
    gate, (mean, deviation) = known["gates"]["english-direction"], known["statistics"]["minilm"]
    nulls = unit(np.load(arguments.vectors / "minilm.nulls.npy"))
    encoder = load_minilm(arguments.weights, arguments.wheel)
    sets = {name: load_set(arguments.data, arguments.vectors, name) for name in SETS}
    lexicon = Lexicon(*rarity_table([sets[name].pool for name in SETS]))

    def judge(texts: list[str], vectors: np.ndarray, messages) -> tuple[np.ndarray, np.ndarray]:
        lexical = LEXICAL["english"] * lexicon.scores(texts, messages.pool)
        scores = (vectors @ messages.passages["minilm"].T - mean) / deviation + lexical
        about = (vectors @ nulls.T - mean) / deviation
        rest = gate["intercept"] + gate["nearest_nulls"] * np.sort(about, axis=1)[:, -3:].mean(1)
        rest += gate["mean_null"] * about.mean(1) + vectors @ np.array(gate["direction"])
        return scores, 1 / (1 + np.exp(-(rest[:, None] + gate["score"] * scores)))

    for name, messages in sets.items():
        english = np.flatnonzero(messages.language == "en")
        split = [(row, clause) for row in english for clause in clauses(messages.texts[row])]
        scores, chances = judge(messages.texts, messages.vectors["minilm"], messages)
        texts = [clause for _, clause in split]
        clause_scores, clause_chances = judge(texts, encoder.encode(texts), messages)
        wishes: dict[int, list[tuple[float, int]]] = {}
        for index, (row, _) in enumerate(split):
            best = int(clause_scores[index].argmax())
            if clause_chances[index, best] >= CLAUSE_BAR and chances[row, best] >= SUGGEST:
                wishes.setdefault(row, []).append((-clause_chances[index, best], best))
        for kind in ("positive", "multi", "none"):
            rows = [row for row in english if messages.kind[row] == kind]
            if not rows:
                continue
            several = right = alone = loaded = wanted = 0
            for row in rows:
                best = int(scores[row].argmax())
                chosen = [best] if chances[row, best] >= LOAD else []
                alone += len(messages.gold[row].intersection(chosen))
                different = list(dict.fromkeys(skill for _, skill in sorted(wishes.get(row, []))))
                if len(different) > 1:
                    chosen += [skill for skill in different if skill not in chosen][: MOST - len(chosen)]
                several += len(chosen) > 1
                right += len(messages.gold[row].intersection(chosen))
                loaded += len(chosen)
                wanted += len(messages.gold[row])
            line = f"{name} {kind} n {len(rows)}: several loaded {several / len(rows):.3f}"
            if wanted:
                line += f", recall {right / wanted:.3f} (best skill only {alone / wanted:.3f}), precision {right / loaded:.3f}"
            print(line)


if __name__ == "__main__":
    main()
