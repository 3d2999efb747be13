"""Says what the training runs on: versions, and whether matrices are multiplied by a fast library.

Debian's torch takes the BLAS that the system names. With the reference one a step takes 40 times as long.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy
import torch

FAST = ("openblas", "mkl", "blis", "atlas", "accelerate")


def blas() -> str:
    torch.ones(8, 8) @ torch.ones(8, 8)
    if "BLAS_INFO=generic" not in torch.__config__.show():
        return "built in"
    maps = Path("/proc/self/maps")
    loaded = maps.read_text().lower().splitlines() if maps.exists() else []
    # A library that numpy brings along is of no use to torch.
    return next((name for name in FAST for line in loaded if name in line and "numpy" not in line), "reference")


if __name__ == "__main__":
    found = {"python": sys.version.split()[0], "torch": torch.__version__, "numpy": numpy.__version__, "blas": blas()}
    print(json.dumps(found))
