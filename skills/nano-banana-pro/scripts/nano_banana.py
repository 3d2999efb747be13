#!/usr/bin/env python3
"""Create or change a picture with Google's Gemini image models and save it.

Prints one line of JSON. Exit status: 0 saved, 1 refused or failed, 2 wrong usage
or a file in the way, 3 no key. Uses the standard library only.
"""

import argparse
import base64
import http.client
import json
import os
import pathlib
import sys
import urllib.error
import urllib.parse
import urllib.request

INPUTS = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp"}
ENDINGS = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}
RATIOS = ["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"]


class Problem(Exception):
    """Something to tell the caller, with the exit status it leads to."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def arguments(argv):
    parser = argparse.ArgumentParser(description="Create or change a picture with Google's Gemini image models.")
    words = parser.add_mutually_exclusive_group(required=True)
    words.add_argument("--prompt", help="what to draw, or what to change")
    words.add_argument("--prompt-file", metavar="FILE", help="read the prompt from a file, - for standard input")
    parser.add_argument("--out", required=True, metavar="FILE", help="where to save; the ending follows the data")
    parser.add_argument("--image", action="append", default=[], metavar="FILE", help="reference picture; repeatable")
    parser.add_argument("--model", default=os.environ.get("GEMINI_IMAGE_MODEL") or "gemini-3-pro-image")
    parser.add_argument("--size", default="1K", choices=["1K", "2K", "4K"])
    parser.add_argument("--aspect", choices=RATIOS, help="default: the model decides")
    parser.add_argument("--timeout", type=float, default=600, metavar="SECONDS")
    parser.add_argument("--force", action="store_true", help="replace existing files")
    parser.add_argument("--dry-run", action="store_true", help="print the request and send nothing")
    return parser.parse_args(argv)


def prompt_of(options):
    if options.prompt is not None:
        text = options.prompt
    elif options.prompt_file == "-":
        text = sys.stdin.read()
    else:
        try:
            text = pathlib.Path(options.prompt_file).read_text(encoding="utf-8")
        except OSError as error:
            raise Problem(2, f"cannot read the prompt: {error}") from error
    text = text.strip()
    if not text:
        raise Problem(2, "the prompt is empty")
    return text


def request_of(options):
    if len(options.image) > 14:
        raise Problem(2, "at most 14 pictures")
    parts = [{"text": prompt_of(options)}]
    for name in options.image:
        file = pathlib.Path(name)
        kind = INPUTS.get(file.suffix.lower())
        if kind is None:
            raise Problem(2, f"not a PNG, JPEG or WebP picture: {file}")
        try:
            content = file.read_bytes()
        except OSError as error:
            raise Problem(2, f"cannot read the picture: {error}") from error
        parts.append({"inlineData": {"mimeType": kind, "data": base64.b64encode(content).decode()}})
    picture = {"imageSize": options.size}
    if options.aspect:
        picture["aspectRatio"] = options.aspect
    return {
        "contents": [{"role": "user", "parts": parts}],
        "generationConfig": {"responseModalities": ["TEXT", "IMAGE"], "imageConfig": picture},
    }


def free(file, force):
    if file.exists() and not force:
        raise Problem(2, f"it exists already: {file} (use --force to replace it)")


def send(url, body, timeout):
    key = os.environ.get("GEMINI_API_KEY", "").strip()
    if not key:
        raise Problem(3, "GEMINI_API_KEY is not set")
    request = urllib.request.Request(url, data=json.dumps(body).encode(), method="POST")
    request.add_header("Content-Type", "application/json")
    request.add_header("x-goog-api-key", key)
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        text = error.read().decode("utf-8", "replace")[:2000]
        raise Problem(1, f"the server answered {error.code}: {text}") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Problem(1, f"no usable answer: {error}") from error


def read(answer):
    """The pictures and the words of an answer, without the model's drafts."""
    pictures, words, reasons = [], [], []
    if blocked := (answer.get("promptFeedback") or {}).get("blockReason"):
        reasons.append(blocked)
    for candidate in answer.get("candidates") or []:
        reasons.append(candidate.get("finishReason") or "")
        for part in (candidate.get("content") or {}).get("parts") or []:
            if part.get("thought"):
                continue
            if data := part.get("inlineData"):
                pictures.append((data.get("mimeType", "image/png"), data["data"]))
            elif text := part.get("text"):
                words.append(text.strip())
    if not pictures:
        why = ", ".join(reason for reason in reasons if reason) or "no reason given"
        raise Problem(1, f"no picture in the answer ({why}): {' '.join(words)}".rstrip(": "))
    return pictures, " ".join(words)


def unused(file):
    """The name itself, or the next free one: a picture that was paid for is not thrown away."""
    number, name = 2, file
    while name.exists():
        name, number = file.with_name(f"{file.stem}-{number}{file.suffix}"), number + 1
    return name


def save(pictures, out, force):
    names = []
    for number, (kind, data) in enumerate(pictures, start=1):
        stem = out.stem if len(pictures) == 1 else f"{out.stem}-{number}"
        known = INPUTS.get(out.suffix.lower()) == kind
        file = out.with_name(stem + (out.suffix if known else ENDINGS.get(kind, out.suffix)))
        file = file if force else unused(file)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(base64.b64decode(data))
        names.append(str(file))
    return names


def run(argv):
    options = arguments(argv)
    out = pathlib.Path(options.out)
    if out.suffix.lower() not in INPUTS:
        raise Problem(2, "end the name in --out with .png, .jpg or .webp")
    free(out, options.force)
    body = request_of(options)
    base = os.environ.get("GEMINI_BASE_URL") or "https://generativelanguage.googleapis.com/v1beta"
    model = urllib.parse.quote(options.model, safe="")
    url = f"{base.rstrip('/')}/models/{model}:generateContent"
    if options.dry_run:
        for part in body["contents"][0]["parts"]:
            if data := part.get("inlineData"):
                data["data"] = f"{len(data['data'])} characters"
        print(json.dumps({"url": url, "request": body, "file": str(out)}))
        return
    answer = send(url, body, options.timeout)
    pictures, words = read(answer)
    names = save(pictures, out, options.force)
    print(json.dumps({"files": names, "model": options.model, "text": words, "usage": answer.get("usageMetadata")}))


def main():
    try:
        run(sys.argv[1:])
    except Problem as problem:
        print(f"nano_banana.py: {problem}", file=sys.stderr)
        sys.exit(problem.status)


if __name__ == "__main__":
    main()
