"""Tests of scripts/speak.sh with a speech program of our own: python3 -m unittest, no network."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parent.parent / "scripts" / "speak.sh"
PROGRAM = """#!/bin/sh
for argument in "$@"; do
    case $argument in --output-filename=*) printf 'RIFF' > "${argument#*=}" ;; esac
done
echo progress
exit "${FAIL:-0}"
"""


class Speak(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        program = self.folder / "bin" / "sherpa-onnx-offline-tts"
        program.parent.mkdir()
        program.write_text(PROGRAM)
        program.chmod(0o755)

    def model(self, name, *files):
        for file in files:
            path = self.folder / "models" / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        return f"models/{name}"

    def call(self, *arguments, **more):
        env = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", **more.pop("env", {})}
        return subprocess.run(
            [SCRIPT, *arguments], cwd=self.folder, env=env, capture_output=True, text=True, check=False, **more
        )

    def command(self, *arguments):
        done = self.call("-n", "-o", "out.wav", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def test_piper_for_both_versions(self):
        model = self.model("vits-piper-en_US-amy-low", "en_US-amy-low.onnx", "tokens.txt", "espeak-ng-data/phontab")
        (self.folder / "models" / "lexicon-en-us.txt").touch()
        command = self.command("-m", model + "/", "Hello there")
        self.assertIn(f"--vits-model={model}/en_US-amy-low.onnx", command)
        self.assertIn("--vits-lexicon=models/lexicon-en-us.txt", command)
        self.assertIn(f"--vits-data-dir={model}/espeak-ng-data", command)
        self.assertEqual(command[-1], "Hello there")

    def test_an_english_word_list_is_not_for_german(self):
        model = self.model("vits-piper-de_DE-thorsten-low", "de.onnx", "tokens.txt")
        (self.folder / "models" / "lexicon-en-us.txt").touch()
        self.assertNotIn("lexicon", "\n".join(self.command("-m", model, "Hallo")))

    def test_kokoro(self):
        files = ("model.onnx", "voices.bin", "tokens.txt", "lexicon-us-en.txt", "lexicon-zh.txt")
        model = self.model("kokoro-multi-lang-v1_0", *files)
        command = self.command("-m", model, "-s", "3", "-r", "1.1", "Hello")
        self.assertIn(f"--kokoro-lexicon={model}/lexicon-us-en.txt,{model}/lexicon-zh.txt", command)
        self.assertIn("--sid=3", command)
        self.assertIn("--speed=1.1", command)

    def test_supertonic(self):
        files = ("duration_predictor.int8.onnx", "text_encoder.int8.onnx", "vector_estimator.int8.onnx", "vocoder.int8.onnx")
        model = self.model("sherpa-onnx-supertonic-3", *files)
        command = self.command("-m", model, "-l", "de", "Guten Tag")
        self.assertIn(f"--supertonic-vocoder={model}/vocoder.int8.onnx", command)
        self.assertIn("--lang=de", command)

    def test_writes_the_file(self):
        model = self.model("vits", "a.onnx", "tokens.txt")
        done = self.call("-m", model, "-o", "out.wav", "-f", "-", input="Hello")
        self.assertEqual((done.returncode, done.stdout), (0, "out.wav\n"), done.stderr)
        self.assertEqual((self.folder / "out.wav").read_text(), "RIFF")
        self.assertEqual(self.call("-m", model, "-o", "b.wav", "Hello", env={"FAIL": "1"}).returncode, 1)

    def test_refuses_what_it_does_not_know(self):
        model = self.model("vits", "a.onnx", "tokens.txt")
        self.assertEqual(self.call("-m", "none", "-o", "a.wav", "x").returncode, 3)
        self.assertEqual(self.call("-m", self.model("other", "readme.md"), "-o", "a.wav", "x").returncode, 3)
        for wrong in (["-o", "a.wav", "x"], ["-m", model, "x"], ["-m", model, "-o", "a.wav"], ["-m", model, "-o", "a.wav", ""]):
            self.assertEqual(self.call(*wrong).returncode, 2, wrong)
        self.assertEqual(self.call("-m", model, "-o", "a.wav", "-r", "fast", "x").returncode, 2)


if __name__ == "__main__":
    unittest.main()
