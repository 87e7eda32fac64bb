#!/usr/bin/env python3
"""Holds the hooks and the snippets of the documents to what the tool offers.

  snippets_test.py --tool PATH --source DIR [unittest argument...]
"""

import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

try:
    import yaml
except ImportError:
    yaml = None

TOOL = SOURCE = None
HOOKS = ".pre-commit-hooks.yaml"
PAGES = ("docs/ci.md", "docs/editors.md")


def blocks(page, language):
    """The fenced blocks of a page in a language."""
    text = (SOURCE / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def command_lines(text):
    """The openqnn commands in a script or YAML text, up to a redirection or an operator."""
    for line in text.splitlines():
        match = re.match(r"\s*(?:- )?(?:run:|entry:)?\s*(openqnn .*)", line)
        if match:
            yield re.split(r"\s(?:>|\|\|?|&&)\s", match.group(1))[0]


def help_of(command):
    done = subprocess.run([TOOL, command, "--help"], stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


class Hooks(unittest.TestCase):
    def hooks(self):
        text = (SOURCE / HOOKS).read_text(encoding="utf-8")
        if yaml:
            return yaml.safe_load(text)
        # Without a parser: every hook is a list item of `key: value` lines.
        items = re.split(r"^- ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE), flags=re.MULTILINE)[1:]
        return [{k: v.strip("'") for k, v in re.findall(r"^\s*([a-z]+): (.+)$", item, re.MULTILINE)} for item in items]

    def test_ids_and_entries(self):
        hooks = {hook["id"]: hook for hook in self.hooks()}
        self.assertEqual(set(hooks), {"openqnn-check", "openqnn-fmt"})
        for hook in hooks.values():
            self.assertEqual(hook["language"], "system")
            self.assertTrue(hook["name"] and hook["description"])
            self.assertIsNotNone(help_of(hook["entry"].split()[1]), hook["entry"])

    def test_file_pattern(self):
        for hook in self.hooks():
            pattern = re.compile(hook["files"])
            for name in ("htp.json", "configs/htp_backend.json", "a/my_qnn_run.json", "lpai.json"):
                self.assertTrue(pattern.search(name), name)
            for name in ("package.json", "htp/package.json", "htp.json.bak", "qnn.txt"):
                self.assertFalse(pattern.search(name), name)

    def test_hooks_take_file_names(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "htp.json"
            path.write_text('{"graphs":[]}', encoding="utf-8")
            for hook in self.hooks():
                done = subprocess.run([TOOL, *shlex.split(hook["entry"])[1:], str(path)], check=False,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                self.assertEqual(done.returncode, 0, done.stdout)
            self.assertEqual(path.read_text(encoding="utf-8"), '{\n  "graphs": []\n}\n')


class Snippets(unittest.TestCase):
    def all_commands(self):
        found = []
        for page in PAGES:
            for language in ("sh", "yaml"):
                for block in blocks(page, language):
                    found += command_lines(block)
        return found

    def test_commands_and_options_exist(self):
        commands = self.all_commands()
        self.assertGreater(len(commands), 5)
        for line in commands:
            with self.subTest(line=line):
                words = shlex.split(line)
                text = help_of(words[1])
                self.assertIsNotNone(text, "no such command")
                for word in words[2:]:
                    if word.startswith("--"):
                        self.assertRegex(text, rf"(?m)^  {re.escape(word)}\b")

    def test_commands_run(self):
        """With the files that the snippets name; a wrong value of an option would be status 2."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "configs").mkdir()
            config = pathlib.Path(folder) / "configs" / "htp.json"
            config.write_text('{\n  "graphs": []\n}\n', encoding="utf-8")
            for line in self.all_commands():
                words = [str(config) if word == "configs/*.json" else word for word in shlex.split(line)]
                if words[-1] != str(config) and words[1] in ("check", "fmt"):
                    words.append(str(config))  # pre-commit adds the names
                done = subprocess.run([TOOL, *words[1:]], cwd=folder, check=False, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True)
                self.assertEqual(done.returncode, 0, f"{line}\n{done.stdout}")

    @unittest.skipUnless(yaml, "the Python module yaml is not installed")
    def test_yaml_blocks_parse(self):
        for block in blocks("docs/ci.md", "yaml"):
            self.assertIsInstance(yaml.safe_load(block), dict)

    def test_hooks_of_the_page_exist(self):
        hooks = (SOURCE / HOOKS).read_text(encoding="utf-8")
        for block in blocks("docs/ci.md", "yaml"):
            for name in re.findall(r"- id: (\S+)", block):
                self.assertIn(f"- id: {name}\n", hooks)


if __name__ == "__main__":
    if len(sys.argv) < 5 or sys.argv[1] != "--tool" or sys.argv[3] != "--source":
        sys.exit(__doc__)
    TOOL, SOURCE = str(pathlib.Path(sys.argv[2]).resolve()), pathlib.Path(sys.argv[4])
    sys.argv[1:5] = []
    unittest.main(verbosity=2)
