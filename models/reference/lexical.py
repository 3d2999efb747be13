"""Words and the lexical score of selection: a fielded BM25 with fixed statistics."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from pathlib import Path

import numpy as np

STOP = set((Path(__file__).parent / "stop.txt").read_text("utf-8").split())

# Scripts written without spaces (Hangul: with long words): pairs of neighbouring characters stand for words.
PAIRED = [(0x3040, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2FA1F),
          (0xAC00, 0xD7AF), (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF)]  # fmt: skip
ACCENTED = [(0xC0, 0x24F), (0x1E00, 0x1EFF)]


def within(char: str, ranges: list[tuple[int, int]]) -> bool:
    return any(low <= ord(char) <= high for low, high in ranges)


def camel_parts(word: str) -> list[str]:
    cuts = [0]
    for index in range(1, len(word)):
        before, here = word[index - 1], word[index]
        if here.isupper() and (not before.isupper() or word[index + 1 : index + 2].islower()):
            cuts.append(index)
    return [word[start:end] for start, end in zip(cuts, cuts[1:] + [len(word)])]


def stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes", "zes")):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for suffix in ("ing", "ed"):
        rest = word.removesuffix(suffix)
        if rest != word and len(rest) >= 3 and any(letter in "aeiouy" for letter in rest):
            word = rest
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 3 and word.endswith("y"):
        word = word[:-1] + "i"
    return word


def tokens(text: str) -> list[str]:
    found: list[str] = []

    def emit(word: str) -> None:
        word = word.lower()
        if word not in STOP and (len(word) > 1 or word.isdigit()):
            found.append(stem(word) if word.isascii() else word)

    def close(run: str, paired: bool) -> None:
        if paired:
            found.extend([run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)])
            return
        parts = camel_parts(run) if run.isascii() else [run]
        # `getUserInfo` is three words; `GitHub` is one.
        if len(parts) > 1 and (run[0].islower() or len(parts) > 2):
            for part in parts:
                emit(part)
        emit(run)

    run, kind = "", None
    for char in unicodedata.normalize("NFKC", text):
        if within(char, ACCENTED):
            char = unicodedata.normalize("NFD", char)[0]
        here = "paired" if within(char, PAIRED) else "word" if char.isalnum() else None
        if here != kind:
            if run:
                close(run, kind == "paired")
            run, kind = "", here
        if here:
            run += char
    if run:
        close(run, kind == "paired")
    return found


# --- lexical score ---------------------------------------------------------------------------------------------

FIELDS = {"name": (2.0, 0.3, 2.0), "description": (1.0, 0.5, 25.0), "body": (1.0, 0.5, 150.0)}  # weight, b, length
SATURATION = 0.9
BODY_CHARS = 1500


def fields_of(skill: dict) -> dict[str, str]:
    return {"name": skill["name"], "description": skill["description"], "body": skill.get("body", "")[:BODY_CHARS]}


def rarity_table(pools: list[list[dict]]) -> tuple[dict[str, int], int]:
    """In how many skills a stem occurs; stems of a single skill are left out."""
    counts: Counter[str] = Counter()
    for pool in pools:
        for skill in pool:
            counts.update({token for text in fields_of(skill).values() for token in tokens(text)})
    return {token: count for token, count in counts.items() if count > 1}, sum(len(pool) for pool in pools)


class Lexicon:
    def __init__(self, table: dict[str, int], documents: int):
        self.table, self.documents = table, documents

    def rarity(self, token: str) -> float:
        count = self.table.get(token, 0)
        return math.log(1 + (self.documents - count + 0.5) / (count + 0.5))

    def scores(self, queries: list[str], pool: list[dict]) -> np.ndarray:
        postings: dict[str, dict[int, float]] = {}
        for row, skill in enumerate(pool):
            for name, text in fields_of(skill).items():
                weight, slope, average = FIELDS[name]
                found = tokens(text)
                scale = weight / (1 - slope + slope * len(found) / average)
                for token, count in Counter(found).items():
                    entry = postings.setdefault(token, {})
                    entry[row] = entry.get(row, 0.0) + scale * count
        scores = np.zeros((len(queries), len(pool)))
        for line, query in zip(scores, queries, strict=True):
            total = 0.0
            for token in dict.fromkeys(tokens(query)):
                rarity = self.rarity(token)
                total += rarity
                for row, frequency in postings.get(token, {}).items():
                    line[row] += rarity * (SATURATION + 1) * frequency / (SATURATION + frequency)
            if total > 0:
                line /= math.sqrt(total)
        return scores
