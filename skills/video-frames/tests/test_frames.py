"""Tests of scripts/frames.sh: python3 -m unittest, no network.

The commands are checked with an ffmpeg of our own; where a real one is installed, it takes frames
out of a film that it makes itself.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parent.parent / "scripts" / "frames.sh"
FFMPEG = """#!/bin/sh
case " $* " in *' -hide_banner '*) echo '  Duration: 00:01:40.00, start: 0.0' >&2; exit 1 ;; esac
printf '%s\\n' "$@" > "$SEEN"
for last in "$@"; do :; done
[ -n "$NOTHING" ] || printf x > "$(printf '%s' "$last" | sed 's/%04d/0001/')"
exit "${FAIL:-0}"
"""


class Frames(unittest.TestCase):
    real = False

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "film.mp4").touch()
        program = self.folder / "bin" / "ffmpeg"
        program.parent.mkdir()
        program.write_text(FFMPEG)
        program.chmod(0o755)

    def call(self, *arguments, **more):
        path = os.environ["PATH"] if self.real else f"{self.folder}/bin:{os.environ['PATH']}"
        env = {"PATH": path, "SEEN": str(self.folder / "seen"), "NOTHING": "", **more}
        return subprocess.run(
            [SCRIPT, *arguments], cwd=self.folder, env=env, capture_output=True, text=True, check=False
        )

    def seen(self):
        return (self.folder / "seen").read_text().splitlines()

    def test_one_frame(self):
        done = self.call("at", "1:30", "film.mp4", "a.png")
        self.assertEqual((done.returncode, done.stdout), (0, "a.png\n"), done.stderr)
        self.assertLess(self.seen().index("-ss"), self.seen().index("-i"))
        self.assertIn("-n", self.seen())

    def test_many_frames(self):
        done = self.call("-m", "5", "-w", "640", "every", "10", "film.mp4", "out")
        self.assertEqual((done.returncode, done.stdout), (0, "out/frame-0001.jpg\n"), done.stderr)
        self.assertIn("fps=1/10,scale=640:-2", self.seen())
        self.assertEqual(self.seen()[self.seen().index("-frames:v") + 1], "5")
        self.assertEqual(self.call("every", "10", "film.mp4", "out").returncode, 2)
        self.assertEqual(self.call("scenes", "0.3", "film.mp4", "scenes").returncode, 0)

    def test_sheet_is_spread_over_the_film(self):
        self.assertEqual(self.call("sheet", "4x5", "film.mp4", "sheet.jpg").returncode, 0)
        self.assertIn("fps=0.200000,scale=320:-2,tile=4x5:padding=4", self.seen())

    def test_nothing_there_is_a_failure(self):
        self.assertEqual(self.call("at", "900", "film.mp4", "a.png", NOTHING="yes").returncode, 1)
        self.assertEqual(self.call("at", "1", "film.mp4", "b.png", FAIL="1").returncode, 1)

    def test_refuses_wrong_usage(self):
        (self.folder / "mine.png").write_text("mine")
        for wrong in (
            ["at", "1", "film.mp4", "mine.png"],
            ["at", "now", "film.mp4", "a.png"],
            ["at", "1", "none.mp4", "a.png"],
            ["at", "1", "film.mp4", "a.txt"],
            ["every", "0", "film.mp4", "out"],
            ["every", "1", "film.mp4", "out%d"],
            ["scenes", "2", "film.mp4", "out"],
            ["sheet", "4", "film.mp4", "a.jpg"],
            ["sheet", "40x40", "film.mp4", "a.jpg"],
            ["turn", "1", "film.mp4", "a.jpg"],
            ["at", "1", "film.mp4"],
        ):
            self.assertEqual(self.call(*wrong).returncode, 2, wrong)
        self.assertEqual((self.folder / "mine.png").read_text(), "mine")

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is not installed")
    def test_with_the_real_program(self):
        self.real = True
        make = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=10:s=320x240:r=10", "test.mp4"]
        subprocess.run(make, cwd=self.folder, check=True)
        self.assertEqual(self.call("at", "0:04.5", "test.mp4", "a.png").returncode, 0)
        done = self.call("every", "2", "test.mp4", "out")
        self.assertEqual(len(done.stdout.splitlines()), 5, done.stderr)
        self.assertEqual(self.call("sheet", "3x2", "test.mp4", "sheet.jpg").returncode, 0)
        self.assertGreater((self.folder / "sheet.jpg").stat().st_size, 1000)
        self.assertEqual(self.call("at", "99", "test.mp4", "late.png").returncode, 1)


if __name__ == "__main__":
    unittest.main()
