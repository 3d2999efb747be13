"""A BERT encoder in PyTorch, small enough to read, with the public tensor names.

The same code makes the sentence encoder and the second reader. Attention over texts of different length is computed
in groups of similar length, so little time goes into padding.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

DTYPES = {"F32": np.float32, "F16": np.float16, "I64": np.int64}


def read_safetensors(path: Path) -> dict[str, Tensor]:
    """All tensors of a file as f32. The header is JSON, so no package is needed."""
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    found = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        start, end = entry["data_offsets"]
        values = np.frombuffer(data[8 + size + start : 8 + size + end], DTYPES[entry["dtype"]])
        found[name] = torch.from_numpy(values.reshape(entry["shape"]).astype(np.float32))
    return found


def write_safetensors(path: Path, tensors: dict[str, Tensor], metadata: dict[str, str] | None = None) -> None:
    """Writes f16 tensors; first beside the file, so that an interrupted write leaves the old one."""
    header: dict[str, object] = {"__metadata__": metadata} if metadata else {}
    parts, offset = [], 0
    for name, tensor in sorted(tensors.items()):
        data = tensor.detach().to(torch.float16).contiguous().numpy().tobytes()
        header[name] = {"dtype": "F16", "shape": list(tensor.shape), "data_offsets": [offset, offset + len(data)]}
        parts.append(data)
        offset += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    beside = path.with_suffix(".part")
    with beside.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for part in parts:
            file.write(part)
    beside.replace(path)


@dataclass(frozen=True)
class Shape:
    layers: int
    words: int = 30522
    positions: int = 512
    width: int = 384
    inner: int = 1536
    heads: int = 12
    segments: int = 2

    @staticmethod
    def of(tensors: dict[str, Tensor], layers: int | None = None) -> "Shape":
        """The shape of the weights of a file; `layers` is for those who want fewer of them."""
        if layers is None:
            layers = sum(name.startswith("encoder.layer.") and name.endswith(".output.dense.weight")
                         and ".attention." not in name for name in tensors)  # fmt: skip
        words, positions = (tensors[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position"))
        return Shape(layers, words=words.shape[0], positions=positions.shape[0])


class Layer(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.heads = shape.heads
        self.query = nn.Linear(shape.width, shape.width)
        self.key = nn.Linear(shape.width, shape.width)
        self.value = nn.Linear(shape.width, shape.width)
        self.mix = nn.Linear(shape.width, shape.width)
        self.attention_norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.up = nn.Linear(shape.width, shape.inner)
        self.down = nn.Linear(shape.inner, shape.width)
        self.output_norm = nn.LayerNorm(shape.width, eps=1e-12)

    def forward(self, hidden: Tensor, bias: Tensor, drop: float) -> Tensor:
        count, length, width = hidden.shape

        def split(values: Tensor) -> Tensor:
            return values.view(count, length, self.heads, width // self.heads).transpose(1, 2)

        query, key, value = split(self.query(hidden)), split(self.key(hidden)), split(self.value(hidden))
        weights = query @ key.transpose(2, 3) * (width // self.heads) ** -0.5 + bias.to(query.dtype)
        weights = functional.dropout(weights.softmax(-1), drop, self.training)
        mixed = (weights @ value).transpose(1, 2).reshape(count, length, width)
        mixed = functional.dropout(self.mix(mixed), drop, self.training)
        hidden = self.attention_norm(hidden + mixed)
        inner = functional.dropout(self.down(functional.gelu(self.up(hidden))), drop, self.training)
        return self.output_norm(hidden + inner)


PUBLIC = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mix": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "output_norm": "output.LayerNorm",
}


class Bert(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.words, shape.width)
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.segments = nn.Embedding(shape.segments, shape.width)
        self.embedding_norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.drop = 0.0

    def names(self) -> dict[str, Tensor]:
        """Every parameter under its public name."""
        found = {
            "embeddings.word_embeddings.weight": self.words.weight,
            "embeddings.position_embeddings.weight": self.positions.weight,
            "embeddings.token_type_embeddings.weight": self.segments.weight,
            "embeddings.LayerNorm.weight": self.embedding_norm.weight,
            "embeddings.LayerNorm.bias": self.embedding_norm.bias,
        }
        for index, layer in enumerate(self.layers):
            for own, public in PUBLIC.items():
                for part in ("weight", "bias"):
                    found[f"encoder.layer.{index}.{public}.{part}"] = getattr(getattr(layer, own), part)
        return found

    def load(self, tensors: dict[str, Tensor], layers: list[int] | None = None) -> None:
        """Takes the tensors of a file; `layers` says which of its layers become ours, in order."""
        with torch.no_grad():
            for name, parameter in self.names().items():
                source = name
                if layers is not None and name.startswith("encoder.layer."):
                    index, rest = name.removeprefix("encoder.layer.").split(".", 1)
                    source = f"encoder.layer.{layers[int(index)]}.{rest}"
                parameter.copy_(tensors[source])

    def freeze_words(self) -> None:
        """The word table stays as it is: packs share it, and rare words would only forget."""
        for module in (self.words, self.positions, self.embedding_norm):
            for parameter in module.parameters():
                parameter.requires_grad = False

    def embed(self, ids: Tensor, segments: Tensor) -> Tensor:
        length = ids.shape[1]
        return self.embedding_norm(
            self.words(ids) + self.positions.weight[:length] + self.segments(segments)
        )

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        hidden = self.embed(ids, segments)
        bias = (1.0 - mask[:, None, None, :].to(hidden.dtype)) * -1e4
        for layer in self.layers:
            hidden = layer(hidden, bias, self.drop)
        return hidden


def pad(rows: list[list[int]]) -> tuple[Tensor, Tensor]:
    length = max(len(row) for row in rows)
    ids = torch.zeros(len(rows), length, dtype=torch.long)
    mask = torch.zeros(len(rows), length)
    for index, row in enumerate(rows):
        ids[index, : len(row)] = torch.tensor(row)
        mask[index, : len(row)] = 1
    return ids, mask


def groups(lengths: list[int], tokens: int) -> list[list[int]]:
    """Rows of similar length together, at most `tokens` padded tokens in a group."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
    found: list[list[int]] = []
    for row in order:
        if found and lengths[found[-1][0]] * (len(found[-1]) + 1) <= tokens and lengths[row] * 1.3 + 4 >= lengths[found[-1][0]]:
            found[-1].append(row)
        else:
            found.append([row])
    return found


def pooled(model: Bert, rows: list[list[int]], tokens: int = 4096) -> Tensor:
    """Unit vectors of texts given as token ids: the mean over all tokens."""
    parts, order = [], []
    for group in groups([len(row) for row in rows], tokens):
        ids, mask = pad([rows[row] for row in group])
        hidden = model(ids, torch.zeros_like(ids), mask).float()
        mean = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        parts.append(functional.normalize(mean, dim=-1))
        order.extend(group)
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(order))
    return torch.cat(parts)[back]


def encode(model: Bert, rows: list[list[int]]) -> Tensor:
    model.eval()
    if not rows:
        return torch.zeros(0, model.shape.width)
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        found = [pooled(model, rows[start : start + 512], 8192) for start in range(0, len(rows), 512)]
    return torch.cat(found)
