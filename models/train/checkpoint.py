"""The state of a training on disk: a stage stops at its time limit, and the next call goes on as if it had not stopped.

A checkpoint holds everything that changes from step to step (weights, optimiser, schedule, averages, random states) and
the settings of its run. It lies beside the result and is removed when the stage is done.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
from pathlib import Path
from typing import Callable

import torch

# The exit code of a stage that stopped before its last step; `cargo xtask train` knows it.
UNFINISHED = 75


def add_arguments(parser: argparse.ArgumentParser, save: int) -> None:
    parser.add_argument("--save", type=int, default=save, metavar="STEPS", help="how often a checkpoint is written and the mean taken")
    parser.add_argument("--minutes", type=float, default=80, help="stop cleanly after this time; the same command goes on")
    parser.add_argument("--stop-after", type=int, metavar="STEP", help="stop after this step, as at the time limit")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Checkpoint:
    def __init__(self, arguments: argparse.Namespace, settings: dict[str, object]):
        """`settings` say which run a checkpoint belongs to: one of another run is refused."""
        self.path: Path = arguments.out.with_suffix(".checkpoint")
        self.settings = settings
        self.every: int = arguments.save
        self.stop_after: int | None = arguments.stop_after
        self.begun = time.monotonic()
        self.limit = self.begun + 60 * arguments.minutes
        self.before = 0.0

    def read(self) -> dict | None:
        """The state that was saved last, or nothing at the start of a run."""
        if not self.path.exists():
            return None
        saved = torch.load(self.path, map_location="cpu")
        if saved["settings"] != self.settings:
            other = sorted(key for key in {*saved["settings"], *self.settings} if saved["settings"].get(key) != self.settings.get(key))
            sys.exit(f"`{self.path}` belongs to a run with other settings ({', '.join(other)}); remove it to start anew")
        torch.set_rng_state(saved["random"])
        self.before = saved["seconds"]
        print(f"goes on after step {saved['step']}", flush=True)
        return saved

    def seconds(self) -> float:
        """The time of all calls together."""
        return self.before + time.monotonic() - self.begun

    def after(self, step: int, steps: int, state: Callable[[], dict]) -> None:
        """Saves when it is time to, and ends the program at its limit."""
        is_over = time.monotonic() > self.limit or step == self.stop_after
        if step >= steps or not (is_over or step % self.every == 0):
            return
        self.write({**state(), "step": step})
        if is_over:
            print(f"stopped after step {step} of {steps}; the same command goes on", flush=True)
            sys.exit(UNFINISHED)

    def write(self, state: dict) -> None:
        """First beside the file, so that an interrupted write leaves the old one."""
        beside = self.path.with_suffix(".checkpoint.part")
        with beside.open("wb") as file:
            torch.save({**state, "settings": self.settings, "random": torch.get_rng_state(), "seconds": self.seconds()}, file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self.path)

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)
