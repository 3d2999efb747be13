"""Tests of scripts/nano_banana.py against a server on this machine: python3 -m unittest, no network."""

import base64
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

SCRIPT = pathlib.Path(__file__).parent.parent / "scripts" / "nano_banana.py"


def picture(kind, content, **more):
    return {"inlineData": {"mimeType": kind, "data": base64.b64encode(content).decode()}, **more}


def answer(*parts, reason="STOP"):
    return {"candidates": [{"content": {"parts": list(parts)}, "finishReason": reason}], "usageMetadata": {"n": 1}}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append((self.path, self.headers, json.loads(body)))
        status, reply = self.server.answer
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(reply).encode())

    def log_message(self, *arguments):
        pass


class NanoBanana(unittest.TestCase):
    def setUp(self):
        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.server.seen, self.server.answer = [], (200, answer(picture("image/png", b"png")))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *arguments, key="g-test"):
        env = {"PATH": os.environ["PATH"], "GEMINI_BASE_URL": f"http://127.0.0.1:{self.server.server_port}/v1beta"}
        if key:
            env["GEMINI_API_KEY"] = key
        return subprocess.run(
            [sys.executable, SCRIPT, *arguments], cwd=self.folder, env=env, capture_output=True, text=True, check=False
        )

    def test_creates_a_picture(self):
        done = self.call("--prompt", "a fox", "--aspect", "16:9", "--size", "4K", "--out", "fox.png")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["files"], ["fox.png"])
        self.assertEqual((self.folder / "fox.png").read_bytes(), b"png")
        path, headers, body = self.server.seen[0]
        self.assertEqual(path, "/v1beta/models/gemini-3-pro-image:generateContent")
        self.assertEqual(headers["x-goog-api-key"], "g-test")
        self.assertEqual(body["generationConfig"]["imageConfig"], {"imageSize": "4K", "aspectRatio": "16:9"})

    def test_sends_references_in_order(self):
        (self.folder / "a.jpg").write_bytes(b"one")
        (self.folder / "b.webp").write_bytes(b"two")
        self.call("--image", "a.jpg", "--image", "b.webp", "--prompt", "both", "--out", "c.png")
        parts = self.server.seen[0][2]["contents"][0]["parts"]
        self.assertEqual([part["inlineData"]["mimeType"] for part in parts[1:]], ["image/jpeg", "image/webp"])
        self.assertEqual(base64.b64decode(parts[1]["inlineData"]["data"]), b"one")

    def test_skips_drafts_and_follows_the_type(self):
        draft = picture("image/png", b"draft", thought=True)
        self.server.answer = (200, answer(draft, {"text": "Here it is."}, picture("image/jpeg", b"jpeg")))
        told = json.loads(self.call("--prompt", "a fox", "--out", "fox.png").stdout)
        self.assertEqual((told["files"], told["text"]), (["fox.jpg"], "Here it is."))
        self.assertFalse((self.folder / "fox.png").exists())

    def test_keeps_what_was_paid_for(self):
        (self.folder / "fox.jpg").write_text("mine")
        self.server.answer = (200, answer(picture("image/jpeg", b"jpeg")))
        told = json.loads(self.call("--prompt", "a fox", "--out", "fox.png").stdout)
        self.assertEqual(told["files"], ["fox-2.jpg"])
        self.assertEqual((self.folder / "fox.jpg").read_text(), "mine")

    def test_says_why_there_is_no_picture(self):
        self.server.answer = (200, answer({"text": "I cannot."}, reason="IMAGE_SAFETY"))
        done = self.call("--prompt", "a fox", "--out", "fox.png")
        self.assertEqual(done.returncode, 1)
        self.assertIn("IMAGE_SAFETY", done.stderr)
        self.server.answer = (503, {"error": {"status": "UNAVAILABLE"}})
        done = self.call("--prompt", "a fox", "--out", "fox.png")
        self.assertEqual(done.returncode, 1)
        self.assertIn("UNAVAILABLE", done.stderr)
        self.assertNotIn("g-test", done.stderr)

    def test_refuses_before_sending(self):
        (self.folder / "old.png").write_text("mine")
        self.assertEqual(self.call("--prompt", "a", "--out", "old.png").returncode, 2)
        self.assertEqual(self.call("--prompt", "a", "--out", "a.gif").returncode, 2)
        self.assertEqual(self.call("--prompt", "a", "--image", "none.png", "--out", "a.png").returncode, 2)
        self.assertEqual(self.call("--prompt", "a", "--out", "a.png", key=None).returncode, 3)
        done = self.call("--prompt", "a", "--out", "a.png", "--dry-run", key=None)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.server.seen, [])


if __name__ == "__main__":
    unittest.main()
