"""Tests of scripts/bluebubbles.sh with a curl of our own: python3 -m unittest, no network. Needs jq."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parent.parent / "scripts" / "bluebubbles.sh"
CURL = """#!/bin/sh
cat > "$SEEN/stdin"
printf '%s\\n' "$@" > "$SEEN/arguments"
for word; do
    [ "$word" = @/dev/fd/3 ] && cat <&3 > "$SEEN/body"
done
printf '%s' "$ANSWER"
exit "$STATUS"
"""


@unittest.skipUnless(shutil.which("jq"), "jq is not on PATH")
class BlueBubbles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        curl = self.folder / "bin" / "curl"
        curl.parent.mkdir()
        curl.write_text(CURL)
        curl.chmod(0o755)

    def call(self, *arguments, body="", status="0", answer="{}", **env):
        env = {
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
            "SEEN": str(self.folder),
            "STATUS": status,
            "ANSWER": answer,
            "BLUEBUBBLES_URL": "http://mac.example.org:1234/",
            "BLUEBUBBLES_PASSWORD": 'p&s "w/d',
            **env,
        }
        return subprocess.run(
            [SCRIPT, *arguments], env=env, input=body, capture_output=True, text=True, check=False
        )

    def seen(self, name):
        return (self.folder / name).read_text()

    def test_reads(self):
        done = self.call("GET", "/chat/iMessage;-;+15555550123/message", "limit=5", "sort=DESC", answer="[]")
        self.assertEqual((done.returncode, done.stdout), (0, "[]\n"), done.stderr)
        self.assertEqual(
            self.seen("stdin"),
            'url = "http://mac.example.org:1234/api/v1/chat/iMessage%3B-%3B%2B15555550123/message'
            '?limit=5&sort=DESC&password=p%26s%20%22w%2Fd"\n',
        )
        self.assertFalse((self.folder / "body").exists())

    def test_sends_what_stands_on_standard_input(self):
        done = self.call("POST", "/message/text", body='{"message":"Hi"}')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.seen("body"), '{"message":"Hi"}')
        self.assertIn("Content-Type: application/json", self.seen("arguments"))

    def test_keeps_the_password_off_the_command_line(self):
        self.call("GET", "/ping", BLUEBUBBLES_PASSWORD="topsecret")
        self.assertNotIn("topsecret", self.seen("arguments"))
        self.assertIn("password=topsecret", self.seen("stdin"))

    def test_passes_a_refusal_on(self):
        done = self.call("GET", "/ping", status="22", answer="Unauthorized")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", "Unauthorized\n"))

    def test_refuses_what_is_not_a_request(self):
        for arguments in [(), ("FETCH", "/x"), ("GET",), ("GET", "x"), ("GET", "/a/../b"), ("GET", "/a", "name")]:
            self.assertEqual(self.call(*arguments).returncode, 2, arguments)
            self.assertFalse((self.folder / "arguments").exists(), arguments)

    def test_needs_a_server_and_a_password(self):
        for env in [
            {"BLUEBUBBLES_URL": ""},
            {"BLUEBUBBLES_URL": "mac.example.org"},
            {"BLUEBUBBLES_URL": 'http://a"\noutput = "b'},
            {"BLUEBUBBLES_PASSWORD": ""},
        ]:
            self.assertEqual(self.call("GET", "/ping", **env).returncode, 3, env)
            self.assertFalse((self.folder / "arguments").exists(), env)


if __name__ == "__main__":
    unittest.main()
