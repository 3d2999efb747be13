#!/usr/bin/env python3
"""What each part of selection brings on the open halves: the tables of docs/selection.md.

    ablation.py --data DIR --vectors DIR

The same folders as selection.py; besides those vectors it wants `minilm.<set>.skills.npy` and `granite.<set>.skills.npy`
(of the description alone), `granite.<set>.queries.npy` and `granite.nulls.npy`.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np

from lexical import Lexicon, rarity_table
from selection import (
    LEXICAL,
    SETS,
    Messages,
    Voice,
    bridge_of,
    load_set,
    own_set,
    ranks,
    standardise,
    unit,
)  # fmt: skip


def figures(scores: dict[str, np.ndarray], sets: dict[str, Messages]) -> str:
    cells = []
    for name in SETS:
        messages = sets[name]
        chosen = np.flatnonzero((messages.kind == "positive") & (messages.language == "en"))
        for gold in (messages.gold, messages.primary) if name == "clawskills" else (messages.gold,):
            found = ranks(scores[name][chosen], [gold[row] for row in chosen])
            cells.append(f"{(found <= 1).mean():.3f}/{(found <= 5).mean():.3f}/{(1 / found).mean():.3f}")
    return " | ".join(cells)


def sign_test(won: int, lost: int) -> float:
    count, low = won + lost, min(won, lost)
    tail = sum(math.comb(count, index) for index in range(low + 1)) / 2**count
    return min(1.0, 2 * tail)


def compare(label: str, before: dict[str, np.ndarray], after: dict[str, np.ndarray], sets: dict[str, Messages]) -> None:
    for name in SETS:
        messages = sets[name]
        chosen = np.flatnonzero((messages.kind == "positive") & (messages.language == "en"))
        for kind, gold in (("gold", messages.gold), ("primary", messages.primary)):
            if kind == "primary" and name != "clawskills":
                continue
            wanted = [gold[row] for row in chosen]
            first, second = ranks(before[name][chosen], wanted), ranks(after[name][chosen], wanted)
            for cut in (1, 5):
                won, lost = int(((second <= cut) & (first > cut)).sum()), int(((second > cut) & (first <= cut)).sum())
                print(f"  {label} {name} {kind} R@{cut}: {(first <= cut).mean():.3f} -> {(second <= cut).mean():.3f},"
                      f" won {won} lost {lost}, p = {sign_test(won, lost):.2f}")  # fmt: skip


def over_pool(values: np.ndarray) -> np.ndarray:
    return (values - values.mean(1, keepdims=True)) / (values.std(1, keepdims=True) + 1e-9)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--vectors", type=Path, required=True)
    arguments = parser.parse_args()
    sets = {name: load_set(arguments.data, arguments.vectors, name) for name in SETS}
    lexicon = Lexicon(*rarity_table([sets[name].pool for name in SETS]))
    for messages in sets.values():
        messages.lexical = lexicon.scores(messages.texts, messages.pool)

    def read(name: str) -> np.ndarray:
        return unit(np.load(arguments.vectors / f"{name}.npy"))

    def cosines(encoder: str, part: str) -> dict[str, np.ndarray]:
        return {name: read(f"{encoder}.{name}.queries") @ read(f"{encoder}.{name}.{part}").T for name in SETS}

    def standard(encoder: str, part: str, values: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        voice = Voice(1.0, read(f"{encoder}.nulls"))
        standardise(voice, [read(f"{encoder}.{name}.{part}") for name in SETS])
        return {name: (value - voice.mean) / voice.deviation for name, value in values.items()}

    lexical = {name: sets[name].lexical for name in SETS}
    passages = standard("minilm", "passages", cosines("minilm", "passages"))
    descriptions = standard("minilm", "skills", cosines("minilm", "skills"))
    granite = standard("granite", "skills", cosines("granite", "skills"))
    chosen = {name: passages[name] + LEXICAL["english"] * lexical[name] for name in SETS}

    print("R@1/R@5/MRR: clawskills | the same, intended skill only | MetaTool | Seal-Tools")
    rows: list[tuple[str, dict[str, np.ndarray]]] = [
        ("encoder alone, description", descriptions),
        ("encoder alone, passage", passages),
        ("granite alone, description", granite),
        ("lexical alone", lexical),
        *((f"z over the pool, lexical {weight}", {n: over_pool(passages[n]) + weight * over_pool(lexical[n]) for n in SETS})
          for weight in (0.2, 0.3, 0.5, 0.7)),
        *((f"fixed, lexical {weight}", {n: passages[n] + weight * lexical[n] for n in SETS})
          for weight in (0.6, 0.9, 1.0, 1.1, 1.2, 1.4, 1.8)),
        ("fixed, description instead of passage", {n: descriptions[n] + LEXICAL["english"] * lexical[n] for n in SETS}),
        *((f"fixed, with granite {weight}, lexical {other}",
           {n: (1 - weight) * passages[n] + weight * granite[n] + other * lexical[n] for n in SETS})
          for weight in (0.2, 0.35, 0.5) for other in (0.9, 1.1)),
    ]  # fmt: skip
    local = {}
    for name in SETS:
        messages = sets[name]
        local[name] = Lexicon(*rarity_table([messages.pool])).scores(messages.texts, messages.pool)
    rows.append(("rarity from the pool itself", {n: passages[n] + LEXICAL["english"] * local[n] for n in SETS}))
    bare = {}
    for name in SETS:
        messages = sets[name]
        pool = [{**skill, "body": ""} for skill in messages.pool]
        bare[name] = lexicon.scores(messages.texts, pool)
    rows.append(("without bodies", {n: passages[n] + LEXICAL["english"] * bare[n] for n in SETS}))
    for label, scores in rows:
        print(f"  {label:42} {figures(scores, sets)}")

    by_label = dict(rows)
    print("against z over the pool (lexical 0.3)")
    compare("fixed", by_label["z over the pool, lexical 0.3"], chosen, sets)
    print("granite, a third of the vote")
    compare("with", chosen, by_label["fixed, with granite 0.35, lexical 1.1"], sets)

    print("not English, n 32: R@1/R@5/MRR of any gold | intended skill only")
    claws = sets["clawskills"]
    sets["own"] = own_set(arguments.vectors, claws)
    bridge = bridge_of(sets, {name: read(f"{name}.nulls") for name in ("minilm", "use")})
    use = standard("use", "passages", cosines("use", "passages"))["clawskills"]
    voice = Voice(1.0, read("minilm.nulls"))
    standardise(voice, [sets[name].passages["minilm"] for name in SETS])
    bridged = unit(claws.vectors["use"] @ bridge.T) @ claws.passages["minilm"].T
    bridged = (bridged - voice.mean) / voice.deviation
    rows_chosen = np.flatnonzero((claws.kind == "positive") & (claws.language != "en"))
    for label, scores in (
        ("use", use),
        ("bridge", bridged),
        *((f"use + bridge, lexical {weight}", 0.5 * use + 0.5 * bridged + weight * claws.lexical) for weight in (0, 0.25, 0.5, 1.1)),
        ("use, lexical 0.25", use + 0.25 * claws.lexical),
    ):
        cells = []
        for gold in (claws.gold, claws.primary):
            found = ranks(scores[rows_chosen], [gold[row] for row in rows_chosen])
            cells.append(f"{(found <= 1).mean():.3f}/{(found <= 5).mean():.3f}/{(1 / found).mean():.3f}")
        print(f"  {label:42} {' | '.join(cells)}")


if __name__ == "__main__":
    main()
