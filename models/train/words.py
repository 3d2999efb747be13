"""Tokens of the models: the uncased WordPiece vocabulary of BERT, read from the tokenizer file of the start weights."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from tokenizers import Tokenizer

CLS, SEP = 101, 102


class Words:
    def __init__(self, path: Path):
        self.tokenizer = Tokenizer.from_file(str(path))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.raw = lru_cache(200_000)(self._raw)

    def _raw(self, text: str) -> tuple[int, ...]:
        return tuple(self.tokenizer.encode(text, add_special_tokens=False).ids)

    def ids(self, text: str, limit: int) -> list[int]:
        return [CLS, *self.raw(text)[: limit - 2], SEP]
