"""Tests of scripts/transcribe.sh with a curl of our own: python3 -m unittest, no network."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parent.parent / "scripts" / "transcribe.sh"
CURL = """#!/bin/sh
cat > "$SEEN/stdin"
printf '%s\\n' "$@" > "$SEEN/arguments"
while [ $# -gt 0 ]; do
    [ "$1" = -o ] && printf '%s' "$ANSWER" > "$2"
    shift
done
printf '%s' "$STATUS"
"""


class Transcribe(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        curl = self.folder / "bin" / "curl"
        curl.parent.mkdir()
        curl.write_text(CURL)
        curl.chmod(0o755)
        (self.folder / "talk.m4a").write_bytes(b"sound")

    def call(self, *arguments, status="200", answer='{"text":"Hello"}', **env):
        env = {
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
            "SEEN": str(self.folder),
            "STATUS": status,
            "ANSWER": answer,
            "OPENAI_API_KEY": "sk-test",
            **env,
        }
        return subprocess.run(
            [SCRIPT, *arguments], cwd=self.folder, env=env, capture_output=True, text=True, check=False
        )

    def arguments(self):
        return (self.folder / "arguments").read_text().splitlines()

    def test_prints_the_answer(self):
        done = self.call("-l", "de", "-p", "@names", "talk.m4a")
        self.assertEqual((done.returncode, done.stdout), (0, '{"text":"Hello"}'), done.stderr)
        sent = self.arguments()
        self.assertIn("file=@talk.m4a", sent)
        self.assertIn("model=gpt-transcribe", sent)
        self.assertIn("language=de", sent)
        self.assertEqual(sent[sent.index("prompt=@names") - 1], "--form-string")
        self.assertEqual(sent[-1], "https://api.openai.com/v1/audio/transcriptions")

    def test_keeps_the_key_off_the_command_line(self):
        self.call("talk.m4a")
        self.assertNotIn("sk-test", "\n".join(self.arguments()))
        self.assertEqual((self.folder / "stdin").read_text(), 'header = "Authorization: Bearer sk-test"\n')

    def test_writes_a_file_once(self):
        done = self.call("-o", "talk.json", "talk.m4a")
        self.assertEqual((done.returncode, done.stdout), (0, "talk.json\n"))
        self.assertEqual((self.folder / "talk.json").read_text(), '{"text":"Hello"}')
        self.assertEqual(self.call("-o", "talk.json", "talk.m4a").returncode, 2)

    def test_asks_for_speakers_words_and_translation(self):
        self.call("-m", "gpt-4o-transcribe-diarize", "-f", "diarized_json", "-c", "auto", "talk.m4a")
        self.assertIn("chunking_strategy=auto", self.arguments())
        self.call("-m", "whisper-1", "-f", "verbose_json", "-w", "talk.m4a")
        self.assertIn("timestamp_granularities[]=word", self.arguments())
        self.call("-m", "whisper-1", "-T", "talk.m4a")
        self.assertTrue(self.arguments()[-1].endswith("/audio/translations"))

    def test_dry_run_sends_nothing(self):
        done = self.call("-n", "talk.m4a", OPENAI_API_KEY="")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("model=gpt-transcribe", done.stdout)
        self.assertFalse((self.folder / "arguments").exists())

    def test_tells_what_went_wrong(self):
        done = self.call("talk.m4a", status="401", answer='{"error":"bad key"}')
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("bad key", done.stderr)
        self.assertEqual(self.call("talk.m4a", OPENAI_API_KEY="").returncode, 3)
        self.assertEqual(self.call("talk.m4a", OPENAI_API_KEY='a"b').returncode, 3)

    def test_refuses_wrong_usage(self):
        for wrong in (["none.m4a"], [], ["-f", "xml", "talk.m4a"], ["-w", "talk.m4a"], ["-T", "talk.m4a"], ["-c", "no", "talk.m4a"]):
            self.assertEqual(self.call(*wrong).returncode, 2, wrong)
        with open(self.folder / "long.wav", "wb") as long:
            long.truncate(26214401)
        self.assertEqual(self.call("-m", "whisper-1", "long.wav").returncode, 2)


if __name__ == "__main__":
    unittest.main()
