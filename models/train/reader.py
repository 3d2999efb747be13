"""Trains the second reader: it reads a message and one skill together and says how well the skill fits.

For every message there are a few skills to choose from, found by the encoder and by words, and *nothing*, whose logit is
always 0. So one number both orders skills and says whether any of them should be loaded.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

import data
from bert import Bert, Shape, encode, groups, pad, read_safetensors, write_safetensors
from checkpoint import Checkpoint, add_arguments, digest
from encoder import corpus
from measure import Bench, auroc
from words import CLS, SEP, Words

MESSAGE_TOKENS, DOCUMENT_TOKENS = 64, 96


class Reader(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.bert = Bert(shape)
        self.inner = nn.Linear(768, 192)
        self.outer = nn.Linear(192, 1)
        nn.init.normal_(self.outer.weight, std=0.02)
        nn.init.zeros_(self.outer.bias)

    def tensors(self) -> dict[str, Tensor]:
        """Without word table, positions and their norm: those are the encoder's."""
        shared = ("embeddings.word", "embeddings.position", "embeddings.LayerNorm")
        found = {name: tensor for name, tensor in self.bert.names().items() if not name.startswith(shared)}
        return {
            **found,
            "head.inner.weight": self.inner.weight,
            "head.inner.bias": self.inner.bias,
            "head.outer.weight": self.outer.weight,
            "head.outer.bias": self.outer.bias,
        }

    def load(self, tensors: dict[str, Tensor]) -> None:
        with torch.no_grad():
            for name, parameter in self.tensors().items():
                parameter.copy_(tensors[name])

    def forward(self, pairs: list[tuple[list[int], list[int]]], tokens: int = 4096) -> Tensor:
        rows = [[CLS, *message, SEP, *document, SEP] for message, document in pairs]
        parts, order = [], []
        for group in groups([len(row) for row in rows], tokens):
            ids, mask = pad([rows[row] for row in group])
            segments = torch.zeros_like(ids)
            for at, row in enumerate(group):
                segments[at, len(pairs[row][0]) + 2 : len(rows[row])] = 1
            hidden = self.bert(ids, segments, mask).float()
            mean = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
            parts.append(torch.cat([hidden[:, 0], mean], 1))
            order.extend(group)
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return self.outer(torch.tanh(self.inner(torch.cat(parts)[back])))[:, 0]


class Texts:
    """Tokens of messages and skills, cut as the program cuts them."""

    def __init__(self, words: Words):
        self.words = words

    def message(self, text: str) -> list[int]:
        return list(self.words.raw(text)[:MESSAGE_TOKENS])

    def skill(self, skill: data.Skill, body: bool, is_short: bool = False) -> list[int]:
        ids = list(self.words.raw(skill.passage(is_short))[:DOCUMENT_TOKENS])
        if body and skill.body and len(ids) < DOCUMENT_TOKENS:
            ids += list(self.words.raw(skill.beginning())[: DOCUMENT_TOKENS - len(ids)])
        return ids


def logits(reader: Reader, pairs: list[tuple[list[int], list[int]]]) -> np.ndarray:
    reader.eval()
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        found = [reader(pairs[start : start + 256], 8192) for start in range(0, len(pairs), 256)]
    return torch.cat(found).float().numpy()


class Candidates:
    """For every message, by its place in the list, the skills that look most like what it asks for."""

    def __init__(self, bench: Bench, vectors, skills: dict[str, data.Skill], messages: list[data.Message], count: int = 16):
        families: dict[str, list[str]] = {}
        for skill in skills:
            first = skill.split("/")[0]
            families.setdefault(first if first in ("metatool", "sealtools", "bundled") else "own", []).append(skill)
        # What a general message must not load is looked for in all families in turn.
        self.found: list[tuple[int, list[str]]] = []
        by_family: dict[str, list[int]] = {}
        names = ["own", "own", "bundled", "metatool"]
        for at, message in enumerate(messages):
            first = message.skill.split("/")[0]
            family = first if first in families else "own"
            if not message.skill:
                family = names[at % 4] if names[at % 4] in families else "own"
            by_family.setdefault(family, []).append(at)
        for family, asked in by_family.items():
            members = families[family]
            passages = vectors([skills[s].passage() for s in members])
            rows = {s: row for row, s in enumerate(members)}
            for start in range(0, len(asked), 1024):
                part = asked[start : start + 1024]
                some = [messages[at].text for at in part]
                scores = vectors(some) @ passages.T * 12
                scores += 0.8 * bench.lexicon.scores(some, [vars(skills[s]) for s in members])
                for at, line in zip(part, scores):
                    best = np.argsort(-line)[: count + 8]
                    own = rows.get(messages[at].skill)
                    if own is not None:
                        alike = passages[best] @ passages[own]
                        best = best[(alike < 0.78) | (best == own)]
                    self.found.append((at, [members[row] for row in best[:count]]))


# Requests, near misses and general messages in fixed shares, whatever their number.
SHARES = {"asked": 0.42, "bundled": 0.14, "metatool": 0.07, "missed": 0.17, "missed bundled": 0.08, "none": 0.12}


def shelf_of(message: data.Message) -> str | None:
    bundled = message.skill.startswith("bundled/")
    if message.kind in data.REQUEST:
        return "bundled" if bundled else "asked"
    if message.kind in ("near-miss", "adjacent"):
        return "missed bundled" if bundled else "missed"
    return {"metatool": "metatool", "sealtools": "metatool", "none": "none"}.get(message.kind)


class Tests:
    """Messages that nothing was trained on, each with the six skills that the encoder and words find first."""

    def __init__(self, bench: Bench, vectors, texts: Texts):
        self.texts = texts
        self.sets: dict[str, tuple] = {}
        self.pairs: dict[str, list] = {}
        pools: dict[int, np.ndarray] = {}
        for label, entry in {**bench.sets, **bench.nothing}.items():
            if "other" in label or not entry[1]:
                continue
            keep = list(range(len(entry[1])))[:120]
            if id(entry[0]) not in pools:
                pools[id(entry[0])] = vectors([s.passage() for s in entry[0]])
            passages = pools[id(entry[0])]
            scores = vectors([entry[1][i] for i in keep]) @ passages.T * 12 + 0.8 * bench.words[label][keep]
            best = np.argsort(-scores, axis=1)[:, :6]
            gold = [entry[2][i] for i in keep] if len(entry) > 2 else [set()] * len(keep)
            self.sets[label] = ([entry[1][i] for i in keep], entry[0], best, np.take_along_axis(scores, best, 1), gold)

    def logits(self, reader: Reader, label: str) -> np.ndarray:
        some, pool, best, *_ = self.sets[label]
        if label not in self.pairs:
            self.pairs[label] = [
                (self.texts.message(text), self.texts.skill(pool[row], True)) for text, line in zip(some, best) for row in line
            ]
        return logits(reader, self.pairs[label]).reshape(best.shape)

    def show(self, reader: Reader) -> None:
        said = {}
        for label, (_, _, best, scores, gold) in self.sets.items():
            found = self.logits(reader, label)
            said[label] = found.max(1)
            loaded = f"loaded {(said[label] > 0).mean():.3f}"
            if not gold[0]:
                print(f"  {label:16} n {len(gold):4} {loaded}")
                continue

            def first(values: np.ndarray) -> float:
                return float(np.mean([best[i, values[i].argmax()] in gold[i] for i in range(len(gold))]))

            within = np.mean([bool(gold[i] & set(best[i])) for i in range(len(gold))])
            print(f"  {label:16} n {len(gold):4} first {first(scores):.3f} reader {first(found):.3f} both {first(scores + found):.3f} "
                  f"half {first(scores + found / 2):.3f} of {within:.3f} {loaded}")  # fmt: skip
        held = [said[label] for label in said if label.startswith("held ") and "near" not in label]
        if held and "held near" in said:
            print(f"  AUROC held near {auroc(np.concatenate(held), said['held near']):.3f}")
        own = [said[label] for label in ("bundled terse", "bundled natural", "bundled long") if label in said]
        for label in ("bundled near-miss", "bundled adjacent"):
            if own and label in said:
                print(f"  AUROC {label} {auroc(np.concatenate(own), said[label]):.3f}")
        if "metatool none" in said:
            print(f"  AUROC metatool none {auroc(said['metatool'], said['metatool none']):.3f}", flush=True)


class Training:
    """A run: what it learns from, and everything that changes from step to step."""

    def __init__(self, arguments: argparse.Namespace):
        self.arguments = arguments
        self.words = Words(arguments.vocabulary)
        self.texts = Texts(self.words)
        self.bench = Bench(arguments.data, arguments.skills, arguments.own)
        self.skills, messages = corpus(arguments.data, self.bench.bundled, arguments.own)
        self.messages = [m for m in messages if m.kind not in ("other", "mixed", "two", "follow-up", "turned-away")]
        tuned = read_safetensors(arguments.encoder)
        self.encoder = Bert(Shape.of(tuned))
        self.encoder.load(tuned)
        self.reader = Reader(Shape.of(tuned, arguments.layers))
        self.reader.bert.load(tuned, list(range(arguments.layers)))
        self.reader.bert.freeze_words()
        if arguments.start:
            self.reader.load(read_safetensors(arguments.start))
        self.draw = random.Random(arguments.seed)
        head = [*self.reader.inner.parameters(), *self.reader.outer.parameters()]
        body = [p for p in self.reader.bert.parameters() if p.requires_grad]
        self.trained = body + head
        self.optimiser = torch.optim.AdamW(
            [{"params": body}, {"params": head, "lr": arguments.rate * 5}], lr=arguments.rate, weight_decay=0.01
        )
        self.schedule = torch.optim.lr_scheduler.LambdaLR(self.optimiser, self.rate_at)
        self.average = {name: tensor.detach().clone() for name, tensor in self.reader.tensors().items()}
        self.averaged = 0
        self.losses: list[float] = []
        self.right: list[float] = []
        self.tests: Tests | None = None
        same = ("steps", "size", "choices", "layers", "rate", "seed", "body", "short", "save")
        settings = {name: getattr(arguments, name) for name in same}
        settings |= {"encoder": digest(arguments.encoder), "messages": len(self.messages), "skills": len(self.skills)}
        settings["start"] = digest(arguments.start) if arguments.start else None
        self.checkpoint = Checkpoint(arguments, settings)

    def rate_at(self, step: int) -> float:
        """Up to the full rate, then down to a twentieth of it."""
        steps = self.arguments.steps
        warm = max(1, min(100, steps // 10))
        return min((step + 1) / warm, max(0.0, (steps - step) / max(1, steps - warm)) * 0.95 + 0.05)

    def vectors(self, some: list[str]) -> np.ndarray:
        return encode(self.encoder, [self.words.ids(t, 128) for t in some]).numpy()

    def measure(self) -> None:
        if self.tests is None:
            self.tests = Tests(self.bench, self.vectors, self.texts)
        self.tests.show(self.reader)

    def fill_shelves(self) -> None:
        self.shelves: dict[str, list[tuple[data.Message, list[str]]]] = {name: [] for name in SHARES}
        for at, best in self.candidates:
            shelf = shelf_of(self.messages[at])
            if shelf:
                self.shelves[shelf].append((self.messages[at], best))
        self.shelves = {name: shelf for name, shelf in self.shelves.items() if shelf}
        self.places: dict[str, list[int]] = {name: [] for name in self.shelves}
        print(f"{len(self.candidates)} messages", flush=True)
        print({name: len(shelf) for name, shelf in self.shelves.items()}, flush=True)

    def next_of(self, name: str) -> tuple[data.Message, list[str]]:
        """Every message of a shelf once, then all again in another order."""
        if not self.places[name]:
            self.places[name] = list(range(len(self.shelves[name])))
            self.draw.shuffle(self.places[name])
        return self.shelves[name][self.places[name].pop()]

    def batch(self) -> tuple[list, list[int], list[int]]:
        """Pairs of tokens, how many of them belong to each message, and which of those is right."""
        arguments, draw = self.arguments, self.draw
        pairs, sizes, targets = [], [], []
        for name in draw.choices(list(self.shelves), [SHARES[n] for n in self.shelves], k=arguments.size):
            message, best = self.next_of(name)
            others = [s for s in best if s != message.skill][: arguments.choices + 2]
            # Close ones more often than distant ones.
            others = draw.sample(others, min(len(others), arguments.choices - 1))
            if message.kind == "adjacent" and not message.skill.startswith("bundled/"):
                others = []  # another skill may well do what this one cannot
            chosen = ([message.skill] if message.skill else []) + others
            if not chosen:
                continue
            tokens = self.texts.message(message.text)
            body, is_short = draw.random() < arguments.body, draw.random() < arguments.short
            pairs += [(tokens, self.texts.skill(self.skills[s], body, is_short)) for s in chosen]
            sizes.append(len(chosen))
            asks = message.kind not in ("near-miss", "adjacent", "none")
            targets.append(0 if asks else len(chosen))
        return pairs, sizes, targets

    def step(self) -> None:
        self.reader.train()
        self.reader.bert.drop = 0.05
        pairs, sizes, targets = self.batch()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = self.reader(pairs)
        loss, good, at = torch.zeros(()), 0, 0
        for size, target in zip(sizes, targets):
            line = torch.cat([found[at : at + size], torch.zeros(1)])
            loss = loss + functional.cross_entropy(line[None], torch.tensor([target]))
            good += int(line.argmax() == target)
            at += size
        loss = loss / len(sizes)
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.trained, 1.0)
        self.optimiser.step()
        self.schedule.step()
        self.losses.append(loss.item())
        self.right.append(good / len(sizes))

    def tell(self, step: int) -> None:
        n = self.arguments.tell
        losses, right = self.losses[-n:], self.right[-n:]
        print(f"step {step} loss {sum(losses) / len(losses):.3f} right {sum(right) / len(right):.3f} "
              f"{self.checkpoint.seconds() / step:.2f} s/step", flush=True)  # fmt: skip

    def take_average(self, step: int) -> None:
        self.averaged += 1
        for name, tensor in self.reader.tensors().items():
            self.average[name] += (tensor.detach() - self.average[name]) / self.averaged
        write_safetensors(self.arguments.out, self.average, {"step": str(step)})

    def state(self) -> dict:
        tell = self.arguments.tell
        return {
            "model": self.reader.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "schedule": self.schedule.state_dict(),
            "average": self.average,
            "averaged": self.averaged,
            "draw": self.draw.getstate(),
            "places": self.places,
            "candidates": self.candidates,
            "told": (self.losses[-tell:], self.right[-tell:]),
        }

    def restore(self, state: dict) -> None:
        self.reader.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.schedule.load_state_dict(state["schedule"])
        self.average, self.averaged = state["average"], state["averaged"]
        self.draw.setstate(state["draw"])
        self.losses, self.right = state["told"]
        self.candidates = state["candidates"]
        self.fill_shelves()
        self.places = state["places"]

    def begin(self) -> int:
        """The number of steps that are done already."""
        saved = self.checkpoint.read()
        if saved:
            self.restore(saved)
            return saved["step"]
        self.candidates = Candidates(self.bench, self.vectors, self.skills, self.messages).found
        self.fill_shelves()
        return 0

    def run(self) -> None:
        arguments = self.arguments
        for step in range(self.begin() + 1, arguments.steps + 1):
            self.step()
            if step % arguments.tell == 0:
                self.tell(step)
            if step >= arguments.steps * 0.7 and step % arguments.save == 0:
                self.take_average(step)
            if step % arguments.measure == 0:
                write_safetensors(arguments.out.with_suffix(".last.safetensors"), self.reader.tensors(), {"step": str(step)})
                self.measure()
            self.checkpoint.after(step, arguments.steps, self.state)
        if self.averaged:
            self.reader.load(self.average)
        print("mean of the saved steps:")
        self.measure()
        write_safetensors(arguments.out, self.reader.tensors(), {"step": str(arguments.steps)})
        self.checkpoint.remove()
        print(f"{arguments.steps} steps in {self.checkpoint.seconds():.0f} s", flush=True)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data.add_arguments(parser)
    add_arguments(parser, save=100)
    parser.add_argument("--encoder", type=Path, required=True, help="the tuned encoder: candidates, words and first layers")
    parser.add_argument("--vocabulary", type=Path, required=True, help="tokenizer.json of the encoder")
    parser.add_argument("--from", dest="start", type=Path, help="go on from this reader")
    parser.add_argument("--out", type=Path, required=True, help="safetensors file of the reader")
    parser.add_argument("--layers", type=int, default=4, help="how many layers of the encoder it begins with")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--size", type=int, default=12, help="messages of a step")
    parser.add_argument("--choices", type=int, default=6, help="skills that a message is read with")
    parser.add_argument("--rate", type=float, default=1e-4, help="highest learning rate; five times that for the head")
    parser.add_argument("--body", type=float, default=0.5, help="how often the beginning of the body follows the description")
    parser.add_argument("--short", type=float, default=0.2, help="how often only the first sentence of the descriptions is read")
    parser.add_argument("--tell", type=int, default=50, help="steps between lines of the log")
    parser.add_argument("--measure", type=int, default=500, help="steps between figures")
    return parser.parse_args()


def main() -> None:
    arguments = parse()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    Training(arguments).run()


if __name__ == "__main__":
    main()
