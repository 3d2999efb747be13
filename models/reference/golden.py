#!/usr/bin/env python3
"""Writes the fixture against which the scores and confidences of selection are tested.

    python golden.py > crates/pure/prowess-select/tests/fixtures/golden.jsonl

Skills: those of the folder `skills/`, and three that are odd in a way none of them is. Cosines, null sentences and the
share of the request are chosen numbers, not an encoder's: the fixture tests the arithmetic after the encoder.
"""

from __future__ import annotations

import json
import math
import pathlib
import re

from lexical import BODY_CHARS, Lexicon, tokens

ROOT = pathlib.Path(__file__).parents[2]
MEAN, DEVIATION, LEXICAL = 0.06554455310106277, 0.06691662222146988, 1.1
GATE = {"intercept": -3.2087279974806986, "score": 0.8249452013403181,
        "null": -0.5892449711744805, "nullMean": -0.6195935862769584}  # fmt: skip

ODD = [
    {"name": "empty-locker", "description": "Keeps spare ropes, shackles and blocks in order", "body": ""},
    {"name": "spare-locker", "description": "Keeps spare ropes, shackles and blocks in order", "body": ""},
    {"name": "getTideTable2", "description": "Höchste Flut und Ebbe; 潮汐表 for any café", "body": "# Tide\n\nH264, C++, 1e-3."},
]

# The message, the nearest null sentences, all null sentences, the request, and the cosines of skills.
CASES = [
    ("Dim the lamps in the living room and make them warm white for the film", 2.83, 0.15, 0.90,
     {"openhue": 0.42, "sonoscli": 0.27, "eightctl": 0.25, "canvas": 0.19, "weather": 0.15}),
    ("Which of my pull requests have failing checks, and what did the reviewers say?", 2.34, 0.02, 0.26,
     {"github": 0.51, "gh-issues": 0.44, "coding-agent": 0.31, "oracle": 0.24, "trello": 0.12}),
    ("If two readers disagree about a poem, who is right and does it matter?", 3.41, 0.45, -1.13,
     {"oracle": 0.21, "summarize": 0.20, "session-logs": 0.16, "notion": 0.11, "bear-notes": 0.08}),
    ("Write down what is said in this voice memo, our firm is spelled \"Brynjolf\"", 3.19, 0.50, 1.40,
     {"openai-whisper": 0.46, "openai-whisper-api": 0.45, "sag": 0.33, "apple-notes": 0.30, "voice-call": 0.28}),
    ("How do I walk from the station to a good café with vegan cake?", 2.68, 0.36, 1.00,
     {"goplaces": 0.40, "ordercli": 0.26, "weather": 0.24, "imsg": 0.08, "getTideTable2": 0.05}),
    ("Log in with my one-time code but never show me the password", 2.06, 0.26, 1.28,
     {"1password": 0.48, "himalaya": 0.16, "gog": 0.15, "tmux": 0.14, "wacli": 0.10}),
    ("Spare shackles?", 1.92, 0.05, 0.80,
     {"empty-locker": 0.50, "spare-locker": 0.50, "things-mac": 0.14, "ordercli": 0.13, "blucli": 0.02}),
    ("Cool my side of the bed to 19 degrees from 22:30", 1.88, 0.12, -0.48,
     {"eightctl": 0.52, "openhue": 0.25, "weather": 0.24, "apple-reminders": 0.21, "camsnap": 0.09}),
    ("How many tokens did the agent burn last week, by model?", 1.89, -0.03, 0.95,
     {"model-usage": 0.55, "session-logs": 0.36, "oracle": 0.29, "gemini": 0.22, "coding-agent": 0.21}),
    ("Text my sister that I am late, and remind me at six to call her", 1.85, -0.13, 1.67,
     {"imsg": 0.41, "apple-reminders": 0.40, "wacli": 0.33, "bluebubbles": 0.31, "voice-call": 0.30}),
    ("Draw the sound of this recording: spectrogram and chroma, side by side", 1.77, -0.17, -0.46,
     {"songsee": 0.57, "openai-whisper": 0.22, "video-frames": 0.21, "openai-image-gen": 0.20, "gifgrep": 0.05}),
    ("How many legs does a spider have?", 3.76, 0.91, -2.15,
     {"summarize": 0.23, "gemini": 0.22, "weather": 0.17, "nano-pdf": 0.10, "blucli": 0.04}),
    ("Who would win, a bear or a gorilla?", 4.53, 0.76, -2.56,
     {"bear-notes": 0.26, "oracle": 0.19, "gemini": 0.19, "gifgrep": 0.15, "discord": -0.02}),
    ("潮汐表 2 getTideTable", 2.10, 0.20, 0.10,
     {"getTideTable2": 0.33, "weather": 0.28, "goplaces": 0.11, "obsidian": 0.05, "tmux": 0.01}),
]  # fmt: skip


def skill(name: str) -> dict:
    for odd in ODD:
        if odd["name"] == name:
            return odd
    head, body = (ROOT / "skills" / name / "SKILL.md").read_text("utf-8").split("\n---\n", 1)
    description = json.loads(re.search(r"^description: (\".*\")$", head, re.M).group(1))
    # Sentences that say what a skill is not for are not scored, and the reference does not know them.
    description = re.split(r"[.;] not ", description, flags=re.IGNORECASE)[0]
    return {"name": name, "description": description, "body": body.strip()[:BODY_CHARS]}


def lexicon() -> Lexicon:
    first, *lines = (ROOT / "crates/pure/prowess-select/data/rarity.txt").read_text("utf-8").splitlines()
    table = dict(line.rsplit("\t", 1) for line in lines if line)
    return Lexicon({term: int(count) for term, count in table.items()}, int(first.split(" ")[0]))


def main() -> None:
    words = lexicon()
    print(json.dumps({"mean": MEAN, "deviation": DEVIATION, "lexical": LEXICAL, "gate": GATE}))
    for message, null, null_mean, request, cosines in CASES:
        pool = [skill(name) for name in cosines]
        rest = GATE["intercept"] + GATE["null"] * null + GATE["nullMean"] * null_mean + request
        top = []
        for entry, cosine, lexical in zip(pool, cosines.values(), words.scores([message], pool)[0], strict=True):
            score = (cosine - MEAN) / DEVIATION + LEXICAL * lexical
            confidence = 1 / (1 + math.exp(-(rest + GATE["score"] * score)))
            figures = {"lexical": lexical, "score": score, "confidence": confidence}
            top.append({**entry, "cosine": cosine, **{key: round(float(value), 5) for key, value in figures.items()}})
        top.sort(key=lambda entry: -entry["score"])
        line = {"message": message, "tokens": tokens(message), "null": null, "nullMean": null_mean, "request": request, "top": top}
        print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    main()
