"""Tests of scripts/wait-for-text.sh with a tmux of our own: python3 -m unittest, no network."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parent.parent / "scripts" / "wait-for-text.sh"
# Each look at the pane shows the next screen, and the last one from then on.
TMUX = """#!/bin/sh
printf '%s\\n' "$*" >> "$SEEN/arguments"
look=$(wc -l < "$SEEN/arguments")
while [ "$look" -gt 1 ] && [ ! -e "$SEEN/screen$((look))" ]; do look=$((look - 1)); done
cat "$SEEN/screen$((look))"
"""


class WaitForText(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        tmux = self.folder / "bin" / "tmux"
        tmux.parent.mkdir()
        tmux.write_text(TMUX)
        tmux.chmod(0o755)

    def call(self, *arguments, screens=("",)):
        for number, screen in enumerate(screens, start=1):
            (self.folder / f"screen{number}").write_text(screen)
        env = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "SEEN": str(self.folder)}
        return subprocess.run([SCRIPT, *arguments], env=env, capture_output=True, text=True, check=False)

    def looks(self):
        return (self.folder / "arguments").read_text().splitlines()

    def test_finds_the_newest_line(self):
        done = self.call("job", "^ready", screens=["ready 1\nbusy\nready 2\n$ \n"])
        self.assertEqual((done.returncode, done.stdout), (0, "ready 2\n"), done.stderr)
        self.assertEqual(self.looks(), ["capture-pane -p -J -S -0 -t job"])

    def test_looks_again_until_it_is_there(self):
        done = self.call("-i", "0.01", "job", "done", screens=["start\n", "half\n", "done\n"])
        self.assertEqual((done.returncode, done.stdout), (0, "done\n"), done.stderr)
        self.assertEqual(len(self.looks()), 3)

    def test_gives_up_and_shows_the_screen(self):
        done = self.call("-t", "0", "job", "never", screens=["still busy\n"])
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("still busy", done.stderr)

    def test_takes_plain_text_history_and_a_socket(self):
        done = self.call("-F", "-L", "mine", "-n", "50", "a:0.1", "1.5 (ok)", screens=["1x5 (ok)\n1.5 (ok)\n"])
        self.assertEqual((done.returncode, done.stdout), (0, "1.5 (ok)\n"), done.stderr)
        self.assertEqual(self.looks(), ["-L mine capture-pane -p -J -S -50 -t a:0.1"])

    def test_tells_that_a_pane_is_gone(self):
        done = self.call("job", "x", screens=[])
        self.assertEqual(done.returncode, 3)
        self.assertIn("no such pane: job", done.stderr)

    def test_refuses_what_makes_no_sense(self):
        for arguments in [
            (),
            ("job",),
            ("job", ""),
            ("job", "("),
            ("-t", "soon", "job", "x"),
            ("-n", "-1", "job", "x"),
            ("-i", "1.2.3", "job", "x"),
            ("-x", "job", "x"),
        ]:
            self.assertEqual(self.call(*arguments).returncode, 2, arguments)


if __name__ == "__main__":
    unittest.main()
