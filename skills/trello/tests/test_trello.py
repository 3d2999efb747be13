"""Tests of scripts/trello.sh with a curl of our own: python3 -m unittest, no network."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parent.parent / "scripts" / "trello.sh"
CURL = """#!/bin/sh
cat > "$SEEN/stdin"
printf '%s\\n' "$@" > "$SEEN/arguments"
printf '%s' "$ANSWER"
exit "$STATUS"
"""


class Trello(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        curl = self.folder / "bin" / "curl"
        curl.parent.mkdir()
        curl.write_text(CURL)
        curl.chmod(0o755)

    def call(self, *arguments, status="0", answer="{}", **env):
        env = {
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
            "SEEN": str(self.folder),
            "STATUS": status,
            "ANSWER": answer,
            "TRELLO_API_KEY": "key1",
            "TRELLO_TOKEN": "token2",
            **env,
        }
        return subprocess.run([SCRIPT, *arguments], env=env, capture_output=True, text=True, check=False)

    def arguments(self):
        return (self.folder / "arguments").read_text().splitlines()

    def test_reads_with_parameters_in_the_address(self):
        done = self.call("GET", "/members/me/boards", "fields=name,url", "filter=open", answer="[1]")
        self.assertEqual((done.returncode, done.stdout), (0, "[1]\n"), done.stderr)
        sent = self.arguments()
        self.assertIn("--get", sent)
        self.assertEqual([sent[at + 1] for at, word in enumerate(sent) if word == "--data-urlencode"],
                         ["fields=name,url", "filter=open"])
        self.assertEqual(sent[-1], "https://api.trello.com/1/members/me/boards")

    def test_writes_with_parameters_in_the_body(self):
        self.call("POST", "/cards", "name=Buy milk & eggs", "idList=5f")
        sent = self.arguments()
        self.assertNotIn("--get", sent)
        self.assertEqual(sent[sent.index("--request") + 1], "POST")
        self.assertIn("name=Buy milk & eggs", sent)

    def test_keeps_key_and_token_off_the_command_line(self):
        self.call("GET", "/members/me")
        line = "\n".join(self.arguments())
        self.assertNotIn("key1", line)
        self.assertNotIn("token2", line)
        self.assertEqual(
            (self.folder / "stdin").read_text(),
            'header = "Authorization: OAuth oauth_consumer_key=\\"key1\\", oauth_token=\\"token2\\""\n',
        )

    def test_passes_a_refusal_on(self):
        done = self.call("GET", "/cards/1", status="22", answer="invalid token")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", "invalid token\n"))

    def test_refuses_what_is_not_a_request(self):
        for arguments in [(), ("get", "/x"), ("GET",), ("GET", "x"), ("GET", "/a?b=c"), ("GET", "/a", "name")]:
            self.assertEqual(self.call(*arguments).returncode, 2, arguments)
            self.assertFalse((self.folder / "arguments").exists(), arguments)

    def test_needs_key_and_token(self):
        for env in [{"TRELLO_API_KEY": ""}, {"TRELLO_TOKEN": ""}, {"TRELLO_TOKEN": 'a"\nurl = "b'}]:
            self.assertEqual(self.call("GET", "/members/me", **env).returncode, 3, env)
            self.assertFalse((self.folder / "arguments").exists(), env)


if __name__ == "__main__":
    unittest.main()
