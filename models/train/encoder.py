"""Trains the sentence encoder: a message near the skill that it asks for, and near nothing when it asks for none.

InfoNCE over batches of neighbours: the skills of a batch are hard negatives of each other. "Nothing" competes with the
skills at a fixed likeness that is learned; it is the answer of near misses and general messages.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

import data
from bert import Bert, Shape, encode, pooled, read_safetensors, write_safetensors
from checkpoint import Checkpoint, add_arguments, digest
from measure import Bench, show
from words import Words

MESSAGE_TOKENS, DOCUMENT_TOKENS = 96, 128
SCALE = 20.0


def corpus(folder: Path, bundled: list[data.Skill], own: Path = data.HERE) -> tuple[dict[str, data.Skill], list[data.Message]]:
    skills = {s.id: s for s in data.pool(folder / "requests" / "skills.jsonl")}
    for skill in data.pool(folder / "match" / "clawskills.skills.jsonl"):
        if skill.id in skills:
            skills[skill.id].body = skill.body
    invented = own / "invented.jsonl"
    if invented.exists():
        skills.update({s.id: s for s in data.pool(invented)})
    skills.update({s.id: s for s in bundled})
    messages = [m for m in data.requests(own) if m.skill in skills and data.is_trained(m)]
    for name in ("metatool", "sealtools"):
        world = data.judged(folder, name)
        skills.update({f"{name}/{s.id}": data.Skill(f"{name}/{s.id}", s.name, s.description) for s in world.skills})
        for query in world.messages:
            if data.held(query["qid"], 4) or data.remainder(query["qid"], 8) == 1:
                continue
            if query["kind"] == "positive":
                messages.append(data.Message(query["query"], f"{name}/{query['gold'][0]}", name))
            elif query["kind"] == "none":
                messages.append(data.Message(query["query"], "", "none"))
    general = [data.Message(text, "", "none") for text in data.general(own)]
    messages.extend(m for m in general if data.remainder(m.text, 10) > 1)
    return skills, messages


class Batches:
    """Clusters of neighbours; each skill gives one request and perhaps a near miss."""

    def __init__(self, skills: dict[str, data.Skill], messages: list[data.Message], seed: int):
        self.random = random.Random(seed)
        self.skills = skills
        self.asked: dict[str, list[data.Message]] = {}
        self.missed: dict[str, list[data.Message]] = {}
        self.none = [m.text for m in messages if m.kind == "none"]
        for message in messages:
            if message.kind in ("near-miss", "adjacent"):
                self.missed.setdefault(message.skill, []).append(message)
            elif message.kind in ("metatool", "sealtools", *data.REQUEST):
                self.asked.setdefault(message.skill, []).append(message)
        self.families: dict[str, list[str]] = {}
        for skill in self.asked:
            family = skill.split("/")[0] if skill.startswith(("metatool/", "sealtools/")) else "own"
            self.families.setdefault(family, []).append(skill)
        self.near: dict[str, list[str]] = {}
        # Skills without messages: what asks for nothing must not land near them either.
        self.background: list[data.Skill] = []

    def mine(self, vectors: dict[str, Tensor]) -> None:
        """The 40 nearest skills of each, within its family."""
        for members in self.families.values():
            matrix = torch.stack([vectors[s] for s in members])
            order = (matrix @ matrix.T).topk(min(41, len(members)), dim=1).indices.tolist()
            for skill, row in zip(members, order):
                self.near[skill] = [members[i] for i in row if members[i] != skill]
        self.vectors = vectors

    def draw(self, size: int, cluster: int) -> tuple[list[str], list[data.Message]]:
        shares = {"own": 0.8, "metatool": 0.14, "sealtools": 0.06}
        names = list(self.families)
        family = self.random.choices(names, [shares[n] for n in names])[0]
        members, chosen = self.families[family], []
        seen: set[str] = set()
        # Skills with more messages are drawn more often, as the square root of their number.
        weights = [len(self.asked[s]) ** 0.5 for s in members]
        while len(chosen) < size and len(seen) < len(members):
            first = self.random.choices(members, weights)[0]
            group = [first] + self.random.sample(self.near[first], min(len(self.near[first]), cluster - 1))
            for skill in group:
                if skill not in seen and len(chosen) < size:
                    seen.add(skill)
                    chosen.append(skill)
        return chosen, [self.random.choice(self.asked[s]) for s in chosen]


class Training:
    """A run: what it learns from, and everything that changes from step to step."""

    def __init__(self, arguments: argparse.Namespace):
        self.arguments = arguments
        self.words = Words(arguments.vocabulary)
        self.bench = Bench(arguments.data, arguments.skills, arguments.own)
        self.skills, messages = corpus(arguments.data, self.bench.bundled, arguments.own)
        self.batches = Batches(self.skills, messages, arguments.seed)
        asked = self.batches.asked
        self.batches.background = [s for s in self.bench.wide if s.id not in asked and not data.held(s.id)]
        start = read_safetensors(arguments.start)
        self.model = Bert(Shape.of(start, arguments.layers))
        self.model.load(start)
        self.model.freeze_words()
        self.nothing = nn.Parameter(torch.tensor(SCALE * 0.35))
        self.trained = [p for p in self.model.parameters() if p.requires_grad]
        groups = [{"params": self.trained, "weight_decay": 0.01}, {"params": [self.nothing], "lr": 1e-2, "weight_decay": 0.0}]
        self.optimiser = torch.optim.AdamW(groups, lr=arguments.rate)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(self.optimiser, self.rate_at)
        self.average = {name: tensor.detach().clone() for name, tensor in self.model.names().items()}
        self.averaged = 0
        self.losses: list[float] = []
        self.right: list[float] = []
        self.off: list[float] = []
        nulls = (data.HERE.parent / "reference" / "nulls.txt").read_text("utf-8").split("\n")
        self.nulls = [line for line in nulls if line.strip()]
        batches = self.batches
        print(f"{len(messages)} messages, {sum(map(len, batches.asked.values()))} requests for {len(batches.asked)} skills, "
              f"{sum(map(len, batches.missed.values()))} near misses, {len(batches.none)} general", flush=True)  # fmt: skip
        same = ("steps", "size", "cluster", "rate", "seed", "body", "short", "null", "background", "save", "measure")
        settings = {name: getattr(arguments, name) for name in same}
        settings |= {"start": digest(arguments.start), "messages": len(messages), "skills": len(self.skills)}
        self.checkpoint = Checkpoint(arguments, settings)

    def rate_at(self, step: int) -> float:
        """Up to the full rate, then down to a tenth of it."""
        steps = self.arguments.steps
        warm = max(1, min(40, steps // 10))
        return min((step + 1) / warm, max(0.0, (steps - step) / max(1, steps - warm)) * 0.9 + 0.1)

    def passage(self, skill: data.Skill, body: bool, is_short: bool = False) -> list[int]:
        text = skill.passage(is_short) + (" " + skill.beginning() if body and skill.body else "")
        return self.words.ids(text, DOCUMENT_TOKENS)

    def vectors(self, texts: list[str]):
        return encode(self.model, [self.words.ids(t, DOCUMENT_TOKENS) for t in texts]).numpy()

    def mine(self) -> None:
        names = [s for members in self.batches.families.values() for s in members]
        matrix = encode(self.model, [self.passage(self.skills[s], False) for s in names])
        self.batches.mine(dict(zip(names, matrix)))

    def measure(self) -> None:
        print(show(self.bench.figures(self.vectors, data.Skill.passage, self.nulls)), flush=True)
        if self.arguments.body:
            print(" with body")
            print(show(self.bench.figures(self.vectors, lambda s: s.passage() + " " + s.beginning(), self.nulls)), flush=True)

    def step(self) -> None:
        self.model.train()
        self.model.drop = 0.1
        size, batches = self.arguments.size, self.batches
        chosen, asked = batches.draw(size, self.arguments.cluster)
        owners = [row for row, s in enumerate(chosen) if s in batches.missed]
        owners = batches.random.sample(owners, min(len(owners), size // 3))
        missed = [batches.random.choice(batches.missed[chosen[row]]) for row in owners]
        none = batches.random.sample(batches.none, min(len(batches.none), size // 12))
        rows = [self.words.ids(m.text, MESSAGE_TOKENS) for m in [*asked, *missed]]
        rows += [self.words.ids(text, MESSAGE_TOKENS) for text in none]
        for skill in chosen:
            body, is_short = (batches.random.random() < share for share in (self.arguments.body, self.arguments.short))
            rows.append(self.passage(self.skills[skill], body, is_short))
        beside = batches.random.sample(batches.background, min(len(batches.background), self.arguments.background))
        rows += [self.passage(skill, False) for skill in beside]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            made = pooled(self.model, rows)
        parts = made.split([len(asked), len(missed) + len(none), len(chosen), len(beside)])
        loss = self.loss(chosen, list(zip(missed, owners)), *parts)
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.trained, 1.0)
        self.optimiser.step()
        self.schedule.step()
        self.losses.append(loss.item())

    def loss(self, chosen: list[str], missed: list[tuple[data.Message, int]], queries: Tensor, missing: Tensor,
             documents: Tensor, beside: Tensor) -> Tensor:  # fmt: skip
        old = torch.stack([self.batches.vectors[s] for s in chosen])
        twins = (old @ old.T > 0.85) & ~torch.eye(len(chosen), dtype=torch.bool)
        logits = (SCALE * queries @ documents.T).masked_fill(twins, -1e4)
        target = torch.arange(len(chosen))
        line = self.nothing.expand(len(chosen), 1)
        forward = functional.cross_entropy(torch.cat([logits, line], 1), target)
        backward = functional.cross_entropy(logits.T, target)
        unfit = SCALE * missing @ documents.T
        # What a skill cannot do another one may: an adjacent wish speaks against its own skill only.
        apart = torch.zeros_like(unfit, dtype=torch.bool)
        for row, (message, owner) in enumerate(missed):
            if message.kind == "adjacent" and not message.skill.startswith("bundled/"):
                apart[row] = torch.arange(len(chosen)) != owner
        adjacent = torch.tensor([m.kind == "adjacent" for m, _ in missed] + [False] * (len(missing) - len(missed)))
        distant = (SCALE * missing @ beside.T).masked_fill(adjacent[:, None], -1e4)
        against = torch.cat([self.nothing.expand(len(missing), 1), unfit.masked_fill(apart, -1e4), distant], 1)
        refused = functional.cross_entropy(against, torch.zeros(len(missing), dtype=torch.long))
        self.right.append((logits.argmax(1) == target).float().mean().item())
        self.off.append((against.argmax(1) == 0).float().mean().item())
        return forward + 0.3 * backward + self.arguments.null * refused

    def tell(self, step: int) -> None:
        n = self.arguments.tell

        def mean(values: list[float]) -> float:
            return sum(values[-n:]) / max(1, len(values[-n:]))

        print(f"step {step} loss {mean(self.losses):.3f} right {mean(self.right):.3f} refused {mean(self.off):.3f} "
              f"nothing {self.nothing.item() / SCALE:.3f} {self.checkpoint.seconds() / step:.2f} s/step", flush=True)  # fmt: skip

    def take_average(self, step: int) -> None:
        self.averaged += 1
        for name, tensor in self.model.names().items():
            self.average[name] += (tensor.detach() - self.average[name]) / self.averaged
        write_safetensors(self.arguments.out, self.average, {"step": str(step)})

    def state(self) -> dict:
        tell = self.arguments.tell
        return {
            "model": self.model.state_dict(),
            "nothing": self.nothing.detach(),
            "optimiser": self.optimiser.state_dict(),
            "schedule": self.schedule.state_dict(),
            "average": self.average,
            "averaged": self.averaged,
            "draw": self.batches.random.getstate(),
            "near": self.batches.near,
            "vectors": self.batches.vectors,
            "told": (self.losses[-tell:], self.right[-tell:], self.off[-tell:]),
        }

    def restore(self, state: dict) -> None:
        self.model.load_state_dict(state["model"])
        with torch.no_grad():
            self.nothing.copy_(state["nothing"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.schedule.load_state_dict(state["schedule"])
        self.average, self.averaged = state["average"], state["averaged"]
        self.batches.random.setstate(state["draw"])
        self.batches.near, self.batches.vectors = state["near"], state["vectors"]
        self.losses, self.right, self.off = state["told"]

    def begin(self) -> int:
        """The number of steps that are done already."""
        saved = self.checkpoint.read()
        if saved:
            self.restore(saved)
            return saved["step"]
        self.measure()
        self.mine()
        return 0

    def run(self) -> None:
        steps, save, measure = self.arguments.steps, self.arguments.save, self.arguments.measure
        last = min(steps, self.arguments.until or steps)
        for step in range(self.begin() + 1, last + 1):
            self.step()
            if step % self.arguments.tell == 0:
                self.tell(step)
            if step >= steps // 4 and step % save == 0:
                self.take_average(step)
            if step % measure == 0 and step < last:
                self.measure()
                self.mine()
            self.checkpoint.after(step, last, self.state)
        print("last step:")
        self.measure()
        if self.averaged:
            self.model.load(self.average)
            print("mean of the saved steps:")
            self.measure()
        write_safetensors(self.arguments.out, self.model.names(), {"step": str(last)})
        self.checkpoint.remove()
        print(f"{last} steps in {self.checkpoint.seconds():.0f} s", flush=True)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data.add_arguments(parser)
    add_arguments(parser, save=100)
    parser.add_argument("--start", type=Path, required=True, help="safetensors file with public BERT names")
    parser.add_argument("--vocabulary", type=Path, required=True, help="tokenizer.json of the start weights")
    parser.add_argument("--out", type=Path, required=True, help="safetensors file of the tuned weights")
    parser.add_argument("--layers", type=int, help="how many layers of the start weights; all unless told")
    parser.add_argument("--steps", type=int, default=800, help="length of the schedule of the learning rate")
    parser.add_argument("--until", type=int, help="stop after this many steps of the schedule")
    parser.add_argument("--size", type=int, default=96, help="skills of a step")
    parser.add_argument("--cluster", type=int, default=16, help="neighbours that come together")
    parser.add_argument("--rate", type=float, default=5e-5, help="highest learning rate")
    parser.add_argument("--body", type=float, default=0.0, help="how often the beginning of the body follows the description")
    parser.add_argument("--short", type=float, default=0.0, help="how often only the first sentence of the description is read")
    parser.add_argument("--background", type=int, default=48, help="skills without messages beside those of a step")
    parser.add_argument("--tell", type=int, default=20, help="steps between lines of the log")
    parser.add_argument("--measure", type=int, default=250, help="steps between figures; neighbours are looked for anew then")
    parser.add_argument("--null", type=float, default=0.3, help="what the loss of near misses and general messages counts")
    return parser.parse_args()


def main() -> None:
    arguments = parse()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    Training(arguments).run()


if __name__ == "__main__":
    main()
