#!/usr/bin/env python3
"""Sources what `openqnn completions`, and the programs beside it, write into the shells themselves.

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
$(complete -p "$1" | sed -E 's/.*-F ([^ ]+).*/\\1/')
printf '%s\\n' "${COMPREPLY[@]}"
"""


def script(shell):
    return subprocess.run([TOOL, "completions", shell], check=True, stdout=subprocess.PIPE, text=True).stdout


def programs():
    """Those with the vendor's names that stand beside the tool."""
    folder = pathlib.Path(TOOL).parent
    return sorted(path.name for path in folder.glob("q*-*") if path.is_file())


def program_script(program, shell):
    return subprocess.run([pathlib.Path(TOOL).with_name(program), "--completions", shell], check=True,
                          stdout=subprocess.PIPE, text=True).stdout


def program_options(program):
    """The options that the program's --help lists, but for those that it refuses."""
    text = subprocess.run([pathlib.Path(TOOL).with_name(program), "--help"], check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    found = set()
    for line in text.split("\nOptions:\n")[1].split("\n\n")[0].splitlines():
        if line.startswith("  -") and "not offered: " not in line:
            names = line.strip().split("  ")[0]  # "-i, --input_network FILE"
            found.add([word.rstrip(",") for word in names.split() if word.startswith("--")][-1])
    return found


def complete_in_bash(test, text, *words, folder=None):
    done = subprocess.run(["bash", "--norc", "-c", DRIVER, "bash", *words], cwd=folder, check=False,
                          env={"SCRIPT": text, "PATH": "/usr/bin:/bin"}, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    test.assertEqual((done.returncode, done.stderr), (0, ""))
    return [word for word in done.stdout.splitlines() if word]


def commands():
    """The commands as --help lists them."""
    text = subprocess.run([TOOL, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
    listing = text.split("Commands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in listing.splitlines()]


def options(command):
    """The options as the command's --help lists them, each with whether it takes a value."""
    text = subprocess.run([TOOL, command, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
    listing = text.split("\nOptions:\n")[1].split("\n\n")[0]
    # "-o, --other, --name FILE  help": the name that the completions offer is the last.
    names = [line.strip().split("  ")[0].split() for line in listing.splitlines() if line.startswith("  -")]
    return {[word.rstrip(",") for word in words if word.startswith("--")][-1] for words in names}


@unittest.skipUnless(shutil.which("bash"), "bash is not installed")
class Bash(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.script = script("bash")

    def complete(self, *words, folder=None):
        return complete_in_bash(self, self.script, "openqnn", *words, folder=folder)

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
        self.assertEqual(self.complete("check", "--kind", "in"), ["input-list"])
        self.assertEqual(self.complete("fix", "--kind", "in"), [])

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
            self.assertEqual(self.complete("run", "a", folder=folder), ["a name.json"])
            for words in (["profile", "summary"], ["profile", "diff", "x"], ["power"], ["power", "--page"]):
                self.assertEqual(self.complete(*words, "a", folder=folder), ["a name.json"])
            self.assertEqual(self.complete("explain", "--pages", "", folder=folder), ["sub"])
            self.assertEqual(self.complete("check", "--graphs", "a", folder=folder), [])

    def test_no_more_positionals_than_a_command_takes(self):
        self.assertEqual(self.complete("completions", "bash", ""), [])


class Programs(unittest.TestCase):
    """Those with the vendor's names, which write their own."""

    def test_there_are_some(self):
        self.assertIn("qnn-net-run", programs())
        self.assertIn("qairt-quantizer", programs())

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_every_option_of_every_program(self):
        for program in programs():
            with self.subTest(program=program):
                offered = complete_in_bash(self, program_script(program, "bash"), program, "--")
                self.assertEqual(set(offered), program_options(program))

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_values(self):
        def complete(*words, folder=None):
            return complete_in_bash(self, program_script(words[0], "bash"), *words, folder=folder)

        self.assertEqual(complete("qairt-quantizer", "--act_quantizer_calibration", "m"), ["min-max", "mse"])
        self.assertEqual(complete("qnn-net-run", "--log_level", "ver"), ["verbose"])
        self.assertEqual(complete("qairt-quantizer", "--debug", "--vers"), ["--version"])  # which may have a value
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "model.dlc").touch()
            for option in ("--input_dlc", "-i"):
                self.assertEqual(complete("qairt-quantizer", option, "", folder=folder), ["model.dlc"])

    def test_other_shells(self):
        for program in programs():
            function = "_" + program.replace("-", "_")
            zsh, fish = program_script(program, "zsh"), program_script(program, "fish")
            self.assertTrue(zsh.startswith(f"#compdef {program}\n"))
            self.assertIn(f"compdef {function} {program}\n", zsh)
            for option in program_options(program):
                self.assertIn(f"{option}", zsh)
                self.assertIn(f"complete -c {program} -l {option[2:]} ", fish)
            for shell, text in (("zsh", zsh), ("fish", fish)):
                check_syntax(self, shell, text)
            for line in fish.splitlines():
                self.assertEqual(line.replace("\\'", "").count("'") % 2, 0, line)

    def test_an_unknown_shell(self):
        done = subprocess.run([pathlib.Path(TOOL).with_name("qairt-converter"), "--completions", "tcsh"], text=True,
                              stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no shell 'tcsh'; bash, zsh and fish are known", done.stderr)


def check_syntax(test, shell, text):
    """Where the shell is installed."""
    if not shutil.which(shell):
        return
    done = subprocess.run([shell, "-n"], input=text, text=True, stderr=subprocess.PIPE, check=False)
    test.assertEqual((done.returncode, done.stderr), (0, ""))


class OtherShells(unittest.TestCase):
    """Only the syntax: what a shell makes of it can be seen only in an interactive one."""

    def check_syntax(self, shell):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed")
        check_syntax(self, shell, script(shell))

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
