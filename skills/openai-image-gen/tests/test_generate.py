"""Tests of scripts/generate.py against a server on this machine: python3 -m unittest, no network."""

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

SCRIPT = pathlib.Path(__file__).parent.parent / "scripts" / "generate.py"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append((self.path, dict(self.headers), body))
        status, answer = self.server.answer
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *arguments):
        pass


class Generate(unittest.TestCase):
    def setUp(self):
        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.server.seen, self.server.answer = [], (200, self.pictures(1))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    @staticmethod
    def pictures(count):
        data = [{"b64_json": base64.b64encode(f"picture {number}".encode()).decode()} for number in range(1, count + 1)]
        return {"data": data, "usage": {"total_tokens": 7}}

    def call(self, *arguments, key="sk-test"):
        env = {"PATH": os.environ["PATH"], "OPENAI_BASE_URL": f"http://127.0.0.1:{self.server.server_port}/v1"}
        if key:
            env["OPENAI_API_KEY"] = key
        return subprocess.run(
            [sys.executable, SCRIPT, *arguments], cwd=self.folder, env=env, capture_output=True, text=True, check=False
        )

    def test_creates_a_picture(self):
        done = self.call("--prompt", "a fox", "--size", "1024x1024", "--out", "fox.jpg")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["files"], ["fox.jpg"])
        self.assertEqual((self.folder / "fox.jpg").read_bytes(), b"picture 1")
        path, headers, body = self.server.seen[0]
        self.assertEqual(path, "/v1/images/generations")
        self.assertEqual(headers["Authorization"], "Bearer sk-test")
        fields = json.loads(body)
        self.assertEqual((fields["output_format"], fields["size"]), ("jpeg", "1024x1024"))
        self.assertNotIn("quality", fields)

    def test_numbers_several_pictures(self):
        self.server.answer = (200, self.pictures(2))
        done = self.call("--prompt", "a fox", "-n", "2", "--out", "new/fox.png")
        self.assertEqual(json.loads(done.stdout)["files"], ["new/fox-1.png", "new/fox-2.png"])

    def test_uploads_pictures_to_change(self):
        (self.folder / "in.png").write_bytes(b"\x89PNG old")
        done = self.call("--image", "in.png", "--prompt", "winter", "--out", "out.webp")
        self.assertEqual(done.returncode, 0, done.stderr)
        path, headers, body = self.server.seen[0]
        self.assertEqual(path, "/v1/images/edits")
        self.assertIn("multipart/form-data", headers["Content-Type"])
        self.assertIn(b'name="image[]"; filename="in.png"', body)
        self.assertIn(b"\x89PNG old", body)

    def test_dry_run_sends_nothing_and_needs_no_key(self):
        done = self.call("--prompt", "a fox", "--out", "fox.png", "--dry-run", key=None)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["fields"]["prompt"], "a fox")
        self.assertEqual(self.server.seen, [])

    def test_leaves_existing_files_alone(self):
        (self.folder / "fox.png").write_text("mine")
        self.assertEqual(self.call("--prompt", "a fox", "--out", "fox.png").returncode, 2)
        self.assertEqual((self.folder / "fox.png").read_text(), "mine")
        self.assertEqual(self.server.seen, [])
        self.assertEqual(self.call("--prompt", "a fox", "--out", "fox.png", "--force").returncode, 0)

    def test_refuses_wrong_usage(self):
        for wrong in (["--out", "fox.gif"], ["--out", "a.jpg", "--background", "transparent"], ["--out", "a.png", "-n", "11"]):
            self.assertEqual(self.call("--prompt", "a fox", *wrong).returncode, 2, wrong)
        self.assertEqual(self.call("--prompt", "  ", "--out", "a.png").returncode, 2)
        self.assertEqual(self.call("--prompt", "a fox", "--out", "a.png", key=None).returncode, 3)

    def test_tells_what_the_server_said_but_not_the_key(self):
        self.server.answer = (400, {"error": {"code": "moderation_blocked"}})
        done = self.call("--prompt", "a fox", "--out", "fox.png")
        self.assertEqual(done.returncode, 1)
        self.assertIn("moderation_blocked", done.stderr)
        self.assertNotIn("sk-test", done.stderr + done.stdout)
        self.server.answer = (200, {"data": []})
        self.assertEqual(self.call("--prompt", "a fox", "--out", "fox.png").returncode, 1)


if __name__ == "__main__":
    unittest.main()
