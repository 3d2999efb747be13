"""Tests of scripts/usage.sh on sessions of our own: python3 -m unittest, no network. Needs jq."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parent.parent / "scripts" / "usage.sh"
DAY = 24 * 60 * 60 * 1000


def run(day, model, tokens_in, tokens_out, skills=()):
    return {
        "started": day * DAY,
        "backend": {"name": "test", "model": model},
        "skills": list(skills),
        "usage": {"inputTokens": tokens_in, "outputTokens": tokens_out, "cachedTokens": 1, "requests": 2},
    }


SESSIONS = {
    "sessions": [
        {"id": "s1", "agent": "main", "runs": [run(0, "small", 100, 10, ["weather"]), run(1, "large", 1000, 50)]},
        {"id": "s2", "agent": "work", "runs": [run(1, "small", 200, 20, ["weather", "github"]), {"started": None}]},
    ]
}


@unittest.skipUnless(shutil.which("jq"), "jq is not on PATH")
class Usage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "sessions.json").write_text(json.dumps(SESSIONS))

    def call(self, *arguments, path=None, text=None):
        env = {"PATH": path or os.environ["PATH"]}
        return subprocess.run(
            [SCRIPT, *arguments], cwd=self.folder, env=env, input=text, capture_output=True, text=True, check=False
        )

    def rows(self, *arguments):
        done = self.call("-f", "sessions.json", "-j", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [(row["key"], row["runs"], row["inputTokens"], row["outputTokens"]) for row in json.loads(done.stdout)]

    def test_adds_up_by_model_the_largest_first(self):
        self.assertEqual(self.rows(), [("large", 1, 1000, 50), ("small", 2, 300, 30)])

    def test_groups_by_anything_that_is_offered(self):
        self.assertEqual(self.rows("-b", "day"), [("1970-01-01", 1, 100, 10), ("1970-01-02", 2, 1200, 70)])
        self.assertEqual(self.rows("-b", "agent"), [("main", 2, 1100, 60), ("work", 1, 200, 20)])
        self.assertEqual(self.rows("-b", "session"), [("s1", 2, 1100, 60), ("s2", 1, 200, 20)])
        self.assertEqual(self.rows("-b", "total"), [("total", 3, 1300, 80)])
        self.assertEqual(
            self.rows("-b", "skill"), [("(none)", 1, 1000, 50), ("weather", 2, 300, 30), ("github", 1, 200, 20)]
        )

    def test_keeps_to_the_days(self):
        self.assertEqual(self.rows("-s", "1970-01-02", "-b", "total"), [("total", 2, 1200, 70)])
        self.assertEqual(self.rows("-u", "1970-01-01", "-b", "total"), [("total", 1, 100, 10)])
        self.assertEqual(self.rows("-s", "1971-01-01"), [])

    def test_prints_a_table(self):
        done = self.call("-f", "sessions.json", "-b", "total")
        self.assertEqual(done.stdout, "total\truns\trequests\tinput\tcached\toutput\ntotal\t3\t6\t1300\t3\t80\n")

    def test_reads_standard_input_and_prowess(self):
        expected = self.call("-f", "sessions.json").stdout
        self.assertEqual(self.call("-f", "-", text=json.dumps(SESSIONS)).stdout, expected)
        prowess = self.folder / "bin" / "prowess"
        prowess.parent.mkdir()
        prowess.write_text('#!/bin/sh\n[ "$*" = "sessions list --limit 0 --json" ] && cat sessions.json\n')
        prowess.chmod(0o755)
        self.assertEqual(self.call(path=f"{prowess.parent}:{os.environ['PATH']}").stdout, expected)

    def test_tells_what_is_wrong(self):
        for arguments in [("-b", "year"), ("-s", "yesterday"), ("-u", "1970-1-1"), ("-x",), ("more",)]:
            self.assertEqual(self.call("-f", "sessions.json", *arguments).returncode, 2, arguments)
        self.assertEqual(self.call("-f", "absent.json").returncode, 3)
        self.assertEqual(self.call("-f", "-", text="no JSON").returncode, 3)


if __name__ == "__main__":
    unittest.main()
