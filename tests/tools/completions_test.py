#!/usr/bin/env python3
"""Sources what `openqnn completions` writes into the shells themselves.

  completions_test.py --tool PATH [unittest argument...]
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = None

# Completes the words that it is called with, as bash does when the user presses TAB at the end of the last one.
DRIVER = """
source /dev/stdin <<<"$SCRIPT" || exit
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
$(complete -p openqnn | sed -E 's/.*-F ([^ ]+).*/\\1/')
printf '%s\\n' "${COMPREPLY[@]}"
"""


def script(shell):
    return subprocess.run([TOOL, "completions", shell], check=True, stdout=subprocess.PIPE, text=True).stdout


def commands():
    """The commands as --help lists them."""
    text = subprocess.run([TOOL, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
    listing = text.split("Commands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in listing.splitlines()]


def options(command):
    """The options as the command's --help lists them, each with whether it takes a value."""
    text = subprocess.run([TOOL, command, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
    listing = text.split("\nOptions:\n")[1].split("\n\n")[0]
    rows = [line.split() for line in listing.splitlines() if line.startswith("  --")]
    # "--other, --name FILE": the name that the completions offer is the last.
    return {[word for word in row if word.startswith("--")][1 if row[0].endswith(",") else 0] for row in rows}


@unittest.skipUnless(shutil.which("bash"), "bash is not installed")
class Bash(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.script = script("bash")

    def complete(self, *words, folder=None):
        done = subprocess.run(["bash", "--norc", "-c", DRIVER, "bash", "openqnn", *words], cwd=folder, check=False,
                              env={"SCRIPT": self.script, "PATH": "/usr/bin:/bin"}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [word for word in done.stdout.splitlines() if word]

    def test_commands(self):
        self.assertEqual(set(self.complete("")), set(commands()) | {"--help", "--version"})
        self.assertEqual(self.complete("comp"), ["compare", "completions"])

    def test_every_option_of_every_command(self):
        for command in commands():
            if command == "help":
                continue
            with self.subTest(command=command):
                self.assertEqual(set(self.complete(command, "--")), options(command))

    def test_fixed_values(self):
        self.assertEqual(self.complete("check", "--format", ""), ["text", "json", "sarif", "github"])
        self.assertEqual(self.complete("check", "--format", "s"), ["sarif"])
        self.assertEqual(self.complete("check", "x.json", "--stage", "off"), ["offline"])
        self.assertEqual(self.complete("completions", ""), ["bash", "zsh", "fish"])

    def test_value_after_an_equals_sign(self):
        self.assertEqual(self.complete("check", "--format", "=", "s"), ["sarif"])
        self.assertEqual(self.complete("check", "--format", "="), ["text", "json", "sarif", "github"])

    def test_names_from_the_tables(self):
        self.assertIn("SM8650", self.complete("simulate", "--soc", "SM86"))
        self.assertIn("SM8650", self.complete("soc", "SM86"))
        self.assertEqual(self.complete("explain", "vtcm_m"), ["vtcm_mb"])
        self.assertEqual(self.complete("explain", "dlbc-weight"), ["dlbc-weight-sharing"])
        self.assertEqual(self.complete("profiles", "bur"), ["burst"])
        self.assertEqual(self.complete("help", "simu"), ["simulate"])

    def test_values_with_no_list(self):
        self.assertEqual(self.complete("check", "--sdk", ""), [])

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a name.json").touch()
            (pathlib.Path(folder) / "sub").mkdir()
            self.assertEqual(self.complete("check", "a", folder=folder), ["a name.json"])
            self.assertEqual(self.complete("check", "--format", "json", "x.json", "a", folder=folder), ["a name.json"])
            self.assertEqual(self.complete("demo", "--out", "", folder=folder), ["sub"])

    def test_no_more_positionals_than_a_command_takes(self):
        self.assertEqual(self.complete("completions", "bash", ""), [])


class OtherShells(unittest.TestCase):
    """Only the syntax: what a shell makes of it can be seen only in an interactive one."""

    def check_syntax(self, shell):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed")
        done = subprocess.run([shell, "-n"], input=script(shell), text=True, stderr=subprocess.PIPE, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_zsh_syntax(self):
        self.check_syntax("zsh")

    def test_fish_syntax(self):
        self.check_syntax("fish")

    def test_all_commands_are_in(self):
        zsh, fish = script("zsh"), script("fish")
        self.assertTrue(zsh.startswith("#compdef openqnn\n"))
        for command in commands():
            self.assertIn(f"\n    {command})\n", zsh)
            self.assertIn(f"__fish_use_subcommand -a {command} ", fish)
            if command == "help":
                continue
            for option in options(command):
                self.assertRegex(fish, f"from {command}' -l {option[2:]} ")

    def test_quotes_are_closed(self):
        """Every line of these scripts closes what it opens."""
        for line in script("fish").splitlines():
            self.assertEqual(line.replace("\\'", "").count("'") % 2, 0, line)
        for line in script("zsh").splitlines():
            self.assertEqual(line.replace("'\\''", "").count("'") % 2, 0, line)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] != "--tool":
        sys.exit(__doc__)
    TOOL = str(pathlib.Path(sys.argv[2]).resolve())
    sys.argv[1:3] = []
    unittest.main(verbosity=2)
