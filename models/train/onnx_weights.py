"""Turns the ONNX export of a BERT model into a safetensors file with public names.

    onnx_weights.py MODEL.onnx OUT.safetensors

Matrices lose their names in an export; the node that multiplies with one still has it. int8 exports are multiplied out.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from bert import write_safetensors


def tensors(path: Path) -> dict[str, torch.Tensor]:
    graph = onnx.load(str(path)).graph
    held = {entry.name: numpy_helper.to_array(entry) for entry in graph.initializer}
    found: dict[str, np.ndarray] = {}
    for name, values in held.items():
        short = name.removeprefix("bert.")
        if short.startswith(("embeddings.", "encoder.", "pooler.", "classifier.")) and values.dtype in (np.float32, np.float16):
            found[short] = values
    for name in ("word", "position", "token_type"):
        key = f"embeddings.{name}_embeddings.weight"
        for prefix in ("bert.", ""):
            quantised = held.get(f"{prefix}{key}_quantized")
            if quantised is not None:
                scale, zero = held[f"{prefix}{key}_scale"], held[f"{prefix}{key}_zero_point"]
                found[key] = (quantised.astype(np.float32) - zero) * scale
    for node in graph.node:
        if node.op_type not in ("MatMul", "MatMulInteger"):
            continue
        place = re.search(r"((?:encoder/layer\.\d+|pooler|classifier)[^ ]*)/MatMul", node.name)
        weight = node.input[1]
        if not place or weight not in held:
            continue
        values = held[weight].astype(np.float32)
        if node.op_type == "MatMulInteger":
            stem = weight.removesuffix("_quantized")
            values = (values - held[f"{stem}_zero_point"].astype(np.float32)) * held[f"{stem}_scale"]
        found[place.group(1).replace("/", ".") + ".weight"] = values.T
    return {name: torch.from_numpy(np.ascontiguousarray(values, np.float32)) for name, values in found.items()}


if __name__ == "__main__":
    made = tensors(Path(sys.argv[1]))
    write_safetensors(Path(sys.argv[2]), made)
    print(len(made), "tensors")
