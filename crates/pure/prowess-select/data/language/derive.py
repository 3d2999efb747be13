"""Writes the derived tables of the language detector.

trigrams.txt: how likely three letters in a row are in each language. The counts are those of langdetect 1.0.9
(PyPI; Apache-2.0, Copyright 2010-2014 Cybozu Labs, Inc.), which were taken from Wikipedia.

common.txt: words that descriptions of skills and tools use often, in any language of the people who ask: they
say little. Counted in the descriptions of openclaw/skills 3a5f649 (MIT), HowieHwong/MetaTool 35e81bb (MIT) and
fairyshine/Seal-Tools ce753ec (Apache-2.0), as JSON lines with a field `description`.

    pip download --no-deps --no-binary :all: langdetect==1.0.9 && tar xzf langdetect-1.0.9.tar.gz
    python derive.py langdetect-1.0.9/langdetect/profiles *.skills.jsonl
"""

import collections
import json
import math
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
LANGUAGES = "en de es fr it pt nl pl tr sv da no fi cs ro hu id vi ca".split()
PER_LANGUAGE = 300
RARE = 18  # -log2 of the probability of what was hardly ever seen
OFTEN = 6  # descriptions


def trigrams(folder):
    profiles = {}
    for language in LANGUAGES:
        profile = json.loads((folder / language).read_text(encoding="utf-8"))
        counts = collections.Counter()
        for gram, count in profile["freq"].items():
            gram = gram.lower().replace(" ", "_")
            if len(gram) == 3 and gram.replace("_", "").isalpha():
                counts[gram] += count
        total = sum(counts.values())
        profiles[language] = {gram: count / total for gram, count in counts.items()}
    chosen = set()
    for counts in profiles.values():
        chosen.update(sorted(counts, key=lambda gram: (-counts[gram], gram))[:PER_LANGUAGE])
    yield "# -log2 of the probability of three letters in a row, in each language, as a letter from a (0) on; `_` is"
    yield "# the edge of a word. From langdetect 1.0.9 (Apache-2.0, Cybozu Labs), by derive.py. Languages:"
    yield "# " + " ".join(LANGUAGES)
    for gram in sorted(chosen):
        costs = (min(RARE, round(-math.log2(profiles[language].get(gram, 2**-RARE)))) for language in LANGUAGES)
        yield gram + " " + "".join(chr(ord("a") + cost) for cost in costs)


def common(files):
    counts = collections.Counter()
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            text = json.loads(line)["description"] or ""
            if text.isascii():
                counts.update(set(re.findall(r"[a-z]{2,}", text.lower())))
    yield "# Words that say little of the language of a message: frequent in descriptions of skills and tools (openclaw/"
    yield "# skills, MetaTool, Seal-Tools; MIT and Apache-2.0), by derive.py."
    yield from sorted(word for word, count in counts.items() if count >= OFTEN)


def write(name, lines):
    (HERE / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")


write("trigrams.txt", trigrams(pathlib.Path(sys.argv[1])))
write("common.txt", common([pathlib.Path(file) for file in sys.argv[2:]]))
