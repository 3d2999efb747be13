#!/usr/bin/env python3
"""Create or change pictures with OpenAI's image API and save them.

Prints one line of JSON. Exit status: 0 saved, 1 refused or failed, 2 wrong usage
or a file in the way, 3 no key. Uses the standard library only.
"""

import argparse
import base64
import http.client
import json
import mimetypes
import os
import pathlib
import sys
import urllib.error
import urllib.request
import uuid

FORMATS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}


class Problem(Exception):
    """Something to tell the caller, with the exit status it leads to."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def arguments(argv):
    parser = argparse.ArgumentParser(description="Create or change pictures with OpenAI's image API.")
    words = parser.add_mutually_exclusive_group(required=True)
    words.add_argument("--prompt", help="what to draw, or what to change")
    words.add_argument("--prompt-file", metavar="FILE", help="read the prompt from a file, - for standard input")
    parser.add_argument("--out", required=True, metavar="FILE", help="where to save; -1, -2 … is added for several")
    parser.add_argument("--image", action="append", default=[], metavar="FILE", help="picture to change; repeatable")
    parser.add_argument("--mask", metavar="FILE", help="PNG whose transparent areas are to be changed")
    parser.add_argument("--model", default=os.environ.get("OPENAI_IMAGE_MODEL") or "gpt-image-2")
    parser.add_argument("--size", default="auto", help="auto or WIDTHxHEIGHT")
    parser.add_argument("--quality", default="auto", choices=["auto", "low", "medium", "high", "xhigh", "max"])
    parser.add_argument("--background", default="auto", choices=["auto", "transparent", "opaque"])
    parser.add_argument("--format", choices=["png", "jpeg", "webp"], help="default: from the name in --out")
    parser.add_argument("-n", type=int, default=1, metavar="COUNT", help="how many pictures, 1 to 10")
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


def targets(options):
    """The files to be written; none of them may be in the way."""
    out = pathlib.Path(options.out)
    if options.n == 1:
        files = [out]
    else:
        files = [out.with_name(f"{out.stem}-{number}{out.suffix}") for number in range(1, options.n + 1)]
    for file in files:
        if file.exists() and not options.force:
            raise Problem(2, f"it exists already: {file} (use --force to replace it)")
    return files


def fields_of(options):
    if not 1 <= options.n <= 10:
        raise Problem(2, "-n must be between 1 and 10")
    kind = options.format or FORMATS.get(pathlib.Path(options.out).suffix.lower())
    if kind is None:
        raise Problem(2, "end the name in --out with .png, .jpg or .webp, or give --format")
    if options.background == "transparent" and kind == "jpeg":
        raise Problem(2, "JPEG has no transparency; save as .png or .webp")
    if options.mask and not options.image:
        raise Problem(2, "--mask needs --image")
    fields = {"model": options.model, "prompt": prompt_of(options), "n": options.n, "output_format": kind}
    for name in ("size", "quality", "background"):
        value = getattr(options, name)
        if value != "auto":
            fields[name] = value
    return fields


def uploads_of(options):
    names = [("image[]", name) for name in options.image]
    if options.mask:
        names.append(("mask", options.mask))
    uploads = []
    for field, name in names:
        try:
            uploads.append((field, pathlib.Path(name).name, pathlib.Path(name).read_bytes()))
        except OSError as error:
            raise Problem(2, f"cannot read the picture: {error}") from error
    return uploads


def multipart(fields, uploads):
    boundary = uuid.uuid4().hex
    body = bytearray()
    for name, value in fields.items():
        body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
    for field, name, content in uploads:
        safe = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in name)
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        body += f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"; filename="{safe}"\r\n'.encode()
        body += f"Content-Type: {kind}\r\n\r\n".encode() + content + b"\r\n"
    body += f"--{boundary}--\r\n".encode()
    return f"multipart/form-data; boundary={boundary}", bytes(body)


def send(url, kind, body, timeout):
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not key:
        raise Problem(3, "OPENAI_API_KEY is not set")
    request = urllib.request.Request(url, data=body, method="POST")
    request.add_header("Content-Type", kind)
    request.add_header("Authorization", f"Bearer {key}")
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        text = error.read().decode("utf-8", "replace")[:2000]
        raise Problem(1, f"the server answered {error.code}: {text}") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Problem(1, f"no usable answer: {error}") from error


def save(answer, files):
    pictures = [entry.get("b64_json") for entry in answer.get("data") or []]
    if not pictures or not all(pictures):
        raise Problem(1, "the answer holds no picture")
    written = []
    for file, picture in zip(files, pictures):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(base64.b64decode(picture))
        written.append(str(file))
    return written


def run(argv):
    options = arguments(argv)
    fields = fields_of(options)
    files = targets(options)
    uploads = uploads_of(options)
    base = os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com/v1"
    url = f"{base.rstrip('/')}/images/{'edits' if uploads else 'generations'}"
    if options.dry_run:
        sent = [{"field": field, "name": name, "bytes": len(content)} for field, name, content in uploads]
        print(json.dumps({"url": url, "fields": fields, "uploads": sent, "files": [str(file) for file in files]}))
        return
    if uploads:
        kind, body = multipart(fields, uploads)
    else:
        kind, body = "application/json", json.dumps(fields).encode()
    answer = send(url, kind, body, options.timeout)
    written = save(answer, files)
    print(json.dumps({"files": written, "model": options.model, "usage": answer.get("usage")}))


def main():
    try:
        run(sys.argv[1:])
    except Problem as problem:
        print(f"generate.py: {problem}", file=sys.stderr)
        sys.exit(problem.status)


if __name__ == "__main__":
    main()
