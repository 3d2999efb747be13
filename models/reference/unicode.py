#!/usr/bin/env python3
"""Classes of characters as the public tokenizers see them.

    unicode.py > crates/base/prowess-embed/src/tokenizer/unicode/tables.rs

Asks the package ``tokenizers`` about every character, one by one: which ones BERT's normaliser drops, pads
or strips as accents, which ones its pre-tokenizer cuts off, and which ones the pattern of GPT-2 calls letters.
"""

from __future__ import annotations

import tokenizers
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer, ByteLevel


def normaliser(**switches: bool) -> BertNormalizer:
    off = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return BertNormalizer(**{**off, **switches})


CLEAN = normaliser(clean_text=True)
PAD = normaliser(handle_chinese_chars=True)
STRIP = normaliser(strip_accents=True)
BERT = BertPreTokenizer()
GPT2 = ByteLevel(add_prefix_space=False, use_regex=True)

CLASSES = {
    "REMOVED": lambda c: CLEAN.normalize_str(f"a{c}b") == "ab",
    "MARKS": lambda c: STRIP.normalize_str(c) == "",
    "IDEOGRAPHS": lambda c: PAD.normalize_str(c) != c,
    "PUNCTUATION": lambda c: len(BERT.pre_tokenize_str(f"a{c}b")) == 3,
    "LETTERS": lambda c: len(GPT2.pre_tokenize_str(f"a{c}")) == 1,
}


def ranges(belongs) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for code in range(0x110000):
        if 0xD800 <= code <= 0xDFFF or not belongs(chr(code)):
            continue
        if found and found[-1][1] == code - 1:
            found[-1] = (found[-1][0], code)
        else:
            found.append((code, code))
    return found


def main() -> None:
    print(f"//! Written by `models/reference/unicode.py` with tokenizers {tokenizers.__version__}.")
    print("\nuse super::Range;")
    for name, belongs in CLASSES.items():
        rows = ranges(belongs)
        print(f"\npub(super) static {name}: [Range; {len(rows)}] = [")
        for start in range(0, len(rows), 5):
            print("    " + " ".join(f"(0x{first:X}, 0x{last:X})," for first, last in rows[start : start + 5]))
        print("];")


if __name__ == "__main__":
    main()
