"""Writes a small made-up world, with which `cargo xtask train --tiny` proves in half a minute that every stage works.

Twelve invented skills in three groups, messages for them, pools in the layout that `data.py` describes, a vocabulary, and
random start weights of two layers. Nothing in it is good for anything else.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

import data
from bert import Bert, Shape, write_safetensors

# Purpose, name, description, then messages by kind; `other` is a language, the message, and its meaning.
SKILLS = [
    ("held", "plant-waterer", "Plans when potted plants get water and reminds you of dry soil.",
     {"terse": "water the ferns", "natural": "my basil looks limp again, when was it last given a drink",
      "long": "we are away for nine days, the neighbour has the key, and the balcony gets full sun: who gives the tomatoes what, and when",
      "near-miss": "grandma talks to her orchids and swears it helps", "adjacent": "order me three bags of compost",
      "other": ("de", "wann muss ich den Kaktus wieder gießen", "when does the cactus need water again")}),
    ("fit", "seed-calendar", "Tells which seeds to sow this month in your climate.",
     {"terse": "what to sow in march", "natural": "is it too late for carrots up here near the coast",
      "near-miss": "carrots are my favourite, always were", "adjacent": "draw me a plan of the beds",
      "other": ("es", "qué puedo plantar en abril", "what can I plant in april")}),
    ("train", "lawn-doctor", "Finds out from a photo why grass turns brown.",
     {"terse": "brown patch in the grass", "natural": "half of the yard died over the summer and I do not know why",
      "near-miss": "the grass is always greener next door, ha", "adjacent": "mow it every friday for me"}),
    ("train", "compost-coach", "Says what belongs on the heap and what does not.",
     {"terse": "tea bags on the heap?", "natural": "the pile behind the shed smells of eggs, what did I throw in",
      "near-miss": "my flatmate called my cooking compost", "code": "log: heap 61 C, 60 C, 38 C, 22 C - why is it getting cold"}),
    ("held", "chord-finder", "Works out the chords of a song from a recording.",
     {"terse": "chords for this recording", "natural": "what is the guitarist playing in the second verse",
      "long": "my daughter sings this at school on friday, I only have the video from rehearsal, and I want to play along on the ukulele",
      "near-miss": "that concert struck a chord with me", "adjacent": "buy me tickets for the band",
      "other": ("fr", "quels sont les accords du refrain", "what are the chords of the chorus")}),
    ("fit", "practice-log", "Keeps a diary of practice on an instrument and shows progress.",
     {"terse": "log 20 minutes of scales", "natural": "did I get any better at the cello since easter",
      "near-miss": "practice makes perfect, they say", "adjacent": "teach me to read notes"}),
    ("train", "tuning-fork", "Plays reference tones to tune strings by ear.",
     {"terse": "give me an A", "natural": "my violin sounds off and the app is gone",
      "near-miss": "there is a fork missing in the drawer",
      "other": ("it", "dammi un la per accordare", "give me an A to tune with")}),
    ("train", "setlist-maker", "Orders songs for an evening so that keys and moods follow well.",
     {"terse": "order tonight's songs", "natural": "we have forty minutes on stage and twelve tunes, which go first",
      "near-miss": "the evening was set in stone", "adjacent": "book us a stage in june"}),
    ("held", "leftover-chef", "Suggests dishes from what is left in the fridge.",
     {"terse": "rice, two eggs, spinach", "natural": "there is half a pumpkin staring at me, dinner please",
      "long": "shop is shut, guests at seven, there is one onion, old bread, a lump of cheese and something green of which I do not know the name",
      "near-miss": "no idea is left in my head today", "adjacent": "have groceries brought by six",
      "other": ("pt", "o que faço com arroz de ontem", "what do I make of the rice from yesterday")}),
    ("train", "bread-timer", "Plans rising and baking of a loaf backwards from the time it should be ready.",
     {"terse": "loaf ready at nine", "natural": "I want it warm on the table when they wake up, when do I knead",
      "near-miss": "he is the breadwinner of the house", "code": "dough: flour 500 g, water 350 g, start 18:40 - when does it go in"}),
    ("train", "unit-kitchen", "Converts cups, spoons and ounces into grams and millilitres.",
     {"terse": "2 cups sugar in grams", "natural": "the american recipe says a stick of butter, how much is that here",
      "near-miss": "my cup runs over", "adjacent": "weigh my suitcase"}),
    ("train", "spice-swap", "Names a replacement for a spice that is not in the cupboard.",
     {"terse": "no cumin left", "natural": "the curry wants turmeric and I have none, what else tastes like that",
      "near-miss": "variety is the spice of life", "mixed": "kein paprika da, what else goes into goulash"}),
]  # fmt: skip

BUNDLED = {
    "tide-table": ("Shows high and low water for a harbour.",
                   {"terse": ["high water tomorrow", "low tide at noon?"],
                    "natural": ["can we walk across to the island after lunch", "when is there enough depth to leave the marina",
                                "will the rocks be covered by five"],
                    "long": ["the kids want to look for crabs, we arrive at two by bus, the last one back leaves at six, so when is the best hour"],
                    "near-miss": ["time and tide wait for no man", "the tide has turned in the match"],
                    "adjacent": ["rent us a boat for sunday", "how warm is the sea"]}),
    "knot-guide": ("Shows how to tie a knot for a job, step by step.",
                   {"terse": ["knot for a hammock", "tie a bowline"],
                    "natural": ["what holds two ropes of different thickness", "the tarp keeps slipping off the post",
                                "how do I fix the canoe to the roof so that it stays"],
                    "long": ["we borrowed a trailer, there is a wardrobe on it and one long rope, rain is coming, and it must survive the motorway"],
                    "near-miss": ["my stomach is in knots before the exam", "they tied the knot last week"],
                    "adjacent": ["sell me ten metres of rope", "how fast is twelve knots"]}),
}  # fmt: skip

TOOLS = {
    "metatool": {"dice": "Rolls dice.", "flags": "Describes the flag of a country.", "riddles": "Asks riddles.", "moons": "Lists the moons of planets."},
    "sealtools": {"getTrainGauge": "Returns the gauge of a railway.", "countSteps": "Counts the steps of a stair.", "nameCloud": "Names a cloud."},
}
ASKED = {
    "dice": ["roll two dice for me", "i need a number from one to six", "decide for us, even or odd", "throw a d20"],
    "flags": ["what is on the flag of nepal", "which colours does chad have", "describe the banner of wales", "flag with a dragon"],
    "riddles": ["give me something to puzzle over", "a riddle for kids", "puzzle me", "something tricky with water in it"],
    "moons": ["who goes round jupiter", "list what circles saturn", "moons of mars please", "has venus any"],
    "getTrainGauge": ["how far apart are the rails in spain", "track width of the harz line"],
    "countSteps": ["how many stairs up to the tower", "steps of the spanish stairs"],
    "nameCloud": ["what do you call the fluffy one", "grey layer over the whole sky, name it"],
}
NOTHING = ["good morning to you", "that made me laugh", "who was the first on the moon", "i am so tired today", "thanks, that is all",
           "tell me a joke about ducks", "what is nine times twelve", "see you tomorrow then", "my cat ignores me",
           "why is the sky blue", "danke dir", "so it goes"]  # fmt: skip
NOTHING_TEST = ["hello again", "what a day", "is a whale a fish", "bonne nuit"]


def with_hash(stem: str, fits) -> str:
    """A name that the split puts where it is wanted."""
    return next(name for number in range(10_000) if fits(name := stem.format(number)))


def identifier(purpose: str, name: str) -> str:
    def of(text: str) -> str:
        return "held" if data.held(text) else "fit" if data.remainder(text, 20) == 11 else "train"

    return with_hash("maker-{}/" + name, lambda text: of(text) == purpose)


def skills() -> tuple[list[dict], list[dict]]:
    """The skills of the groups and the messages for them."""
    found, messages = [], []
    for purpose, name, description, asked in SKILLS:
        skill = identifier(purpose, name)
        found.append({"id": skill, "name": name, "description": description, "body": f"# {name}\n\n{description} Ask first, then act."})
        for kind, text in asked.items():
            entry = {"skill": skill, "kind": kind, "lang": "mixed" if kind == "mixed" else "en", "message": text, "writer": "1"}
            if kind == "other":
                lang, text, meaning = text
                messages.append({**entry, "lang": lang, "message": text})
                entry = {**entry, "kind": "meaning", "message": meaning}
            messages.append(entry)
    return found, messages


def bundled_messages() -> list[dict]:
    """The first message of each kind is for measuring, by a writer of its own."""
    return [
        {"skill": f"bundled/{name}", "kind": kind, "lang": "en", "message": text, "writer": "2" if at else "test-3"}
        for name, (_, asked) in BUNDLED.items()
        for kind, texts in asked.items()
        for at, text in enumerate(texts)
    ]


def queries(name: str) -> list[dict]:
    """One message of each tool is held back, one is for the gate, the others are trained on."""
    splits = [lambda text: data.held(text, 4), lambda text: data.remainder(text, 8) == 1]
    splits += [lambda text: not data.held(text, 4) and data.remainder(text, 8) != 1] * 2
    found = []
    for tool in TOOLS[name]:
        order = splits if len(ASKED[tool]) > 2 else [splits[0], splits[2]]
        for text, fits in zip(ASKED[tool], order):
            found.append({"qid": with_hash(f"{tool}-{{}}", fits), "query": text, "lang": "en", "kind": "positive", "gold": [tool]})
    if name == "metatool":
        for text, fits in zip(NOTHING, splits):
            found.append({"qid": with_hash(f"none-{text}-{{}}", fits), "query": text, "lang": "en", "kind": "none", "gold": []})
    return found


def judged(found: list[dict]) -> list[dict]:
    """Messages on the pool of the groups; no model is trained on those."""
    asked = [("soil like dust in every pot", "en", 0), ("which song comes after the slow one", "en", 7), ("ich habe keinen kümmel mehr", "de", 11)]
    entries = [{"query": text, "lang": lang, "kind": "positive", "gold": [found[row]["id"]], "primary": [found[row]["id"]]} for text, lang, row in asked]
    entries += [{"query": text, "lang": "en", "kind": "none", "gold": [], "primary": []} for text in NOTHING_TEST[:2]]
    return [{"qid": f"tiny-{at}", **entry} for at, entry in enumerate(entries)]


def write_lines(path: Path, entries: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries), "utf-8")


def write_vocabulary(path: Path, texts: list[str]) -> int:
    """WordPiece with the special tokens where BERT has them: every word of the world, and letters for all others."""
    special = {0: "[PAD]", 100: "[UNK]", 101: "[CLS]", 102: "[SEP]", 103: "[MASK]"}
    letters = [chr(code) for code in range(33, 127) if not chr(code).isupper()]
    pieces = [special.get(at, f"[unused{at}]") for at in range(104)]
    pieces += letters + [f"##{letter}" for letter in letters if letter.isalnum()]
    split = pre_tokenizers.BertPreTokenizer().pre_tokenize_str
    fold = normalizers.BertNormalizer(lowercase=True).normalize_str
    known = sorted({word for text in texts for word, _ in split(fold(text))})
    pieces += [word for word in known if word not in set(pieces)]
    vocabulary = {piece: at for at, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(list(special.values()))
    tokenizer.save(str(path))
    return len(pieces)


SETTINGS = {
    "seed": 1,
    "minutes": 80,
    "encoder": [
        {"steps": 6, "until": 4, "size": 12, "cluster": 4, "rate": 1e-4, "background": 0, "save": 2, "measure": 3, "tell": 1},
        {"steps": 3, "size": 12, "cluster": 6, "rate": 5e-5, "background": 4, "null": 0.5, "save": 2, "measure": 3, "tell": 1},
    ],
    "reader": {"layers": 2, "steps": 4, "size": 6, "choices": 3, "rate": 1e-4, "save": 2, "measure": 4, "tell": 1},
    "packs": {"words": "int8", "layers": "int8", "reader_layers": "int8", "message_tokens": 64, "document_tokens": 96},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder for the world")
    out: Path = parser.parse_args().out
    found, messages = skills()
    messages += bundled_messages()
    write_lines(out / "own" / "requests.jsonl", messages)
    (out / "own" / "general.txt").write_text("\n".join(NOTHING) + "\n", "utf-8")
    (out / "own" / "general.test.txt").write_text("\n".join(NOTHING_TEST) + "\n", "utf-8")
    (out / "own" / "writers.md").write_text("Made up for the tiny run.\n", "utf-8")
    write_lines(out / "data" / "requests" / "skills.jsonl", [{key: s[key] for key in ("id", "name", "description")} for s in found])
    write_lines(out / "data" / "match" / "clawskills.skills.jsonl", found)
    write_lines(out / "data" / "match" / "clawskills.queries.dev.jsonl", judged(found))
    for name, tools in TOOLS.items():
        pool = [{"id": tool, "name": tool, "description": text} for tool, text in tools.items()]
        write_lines(out / "data" / "match" / f"{name}.skills.jsonl", pool)
        write_lines(out / "data" / "match" / f"{name}.queries.dev.jsonl", queries(name))
    for name, (description, _) in BUNDLED.items():
        (out / "skills" / name).mkdir(parents=True, exist_ok=True)
        text = f"---\nname: {name}\ndescription: {description}\n---\n# {name}\n\nAsk for the place, then answer.\n"
        (out / "skills" / name / "SKILL.md").write_text(text, "utf-8")
    (out / "start").mkdir(exist_ok=True)
    texts = [m["message"] for m in messages] + [s["description"] for s in found] + NOTHING
    words = write_vocabulary(out / "start" / "tokenizer.json", texts)
    torch.manual_seed(1)
    write_safetensors(out / "start" / "model.safetensors", Bert(Shape(2, words=words)).names())
    (out / "settings.json").write_text(json.dumps(SETTINGS, indent=2) + "\n", "utf-8")
    print(f"{len(found) + len(BUNDLED)} skills, {len(messages)} messages, {words} pieces")


if __name__ == "__main__":
    main()
