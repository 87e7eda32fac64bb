#!/usr/bin/env python3
"""Runs text cases against the openqnn tool and the programs beside it.

  run_cases.py --tool PATH --fixture DIR --prepare     make the files that the cases use
  run_cases.py --tool PATH --fixture DIR CASE...       run cases; exit 1 and a diff when one fails
  run_cases.py --tool PATH --fixture DIR --show CASE   print what the commands of a case give now

A case runs in a new folder that holds a copy of the fixture: demo.bin, from `openqnn demo`. Its lines:

  # comment
  ! truncate FILE BYTES       keep the first bytes
  ! flip FILE OFFSET          invert one byte; a negative offset counts from the end
  ! write FILE TEXT           a file with one line; $HERE in it is the case's folder, an absolute path
  ! file FILE                 a file with the lines that follow, each after "| "; "|" alone is an empty line
  ! bytes FILE HEX            a file with these bytes
  ! folder FILE               a new folder
  ! copy FILE FILE            the second becomes a copy of the first
  ! corpus PATH FILE          a copy of a file under tests/corpus
  ! library NAME FILE         a copy of a library that the programs open
  ! floats FILE COUNT STEP    so many float32 values: 0, STEP, 2 STEP, ...; a STEP of 0 gives zeros
  ! repeat FILE COUNT TEXT    a file with a text many times, on one line
  ! same FILE FILE            the two must be equal
  ! same_end FILE FILE N      the last N bytes of the two must be equal
  ! json FILE                 the file must be JSON
  ! json FILE PATH VALUE      the file must be JSON with this at "info.graphs.0.name"
  ! holds FILE HEX            the file must have these bytes
  ! joined FILE FILE...       the first must be the others, one after the other
  ! lines FILE                the file must have the lines that follow, each after "| "; `*` stands for any text
  ! contains FILE TEXT        the text must stand somewhere in the file
  ! lacks FILE TEXT           it must stand nowhere in it
  ! missing FILE              must not exist
  $ openqnn ARGUMENT...       runs the tool, or the program of another name in its folder; `< FILE` at the end gives it a standard input, `<| FILE` through a pipe, `> FILE` keeps its
                              standard output in a file (`> /dev/full` gives it to that device). Then follow what it must give:
  exit CODE                   0 when not written
  > LINE                      standard output, line for line
  2> LINE                     standard error, line for line

In expected lines `*` stands for any text in a line; a line `> ...` for any number of lines. Without any `>` line the standard
output must be empty, and so for `2>`. Host times are off and colours too, so that output is the same everywhere.
"""

import argparse
import difflib
import filecmp
import json
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile


CORPUS = pathlib.Path(__file__).resolve().parent.parent / "corpus"


class Failed(Exception):
    """A case that does not hold; the text says how."""


def environment():
    # Where libraries are looked for is part of what some cases expect.
    env = {k: v for k, v in os.environ.items() if not k.startswith("OPENQNN_") and k != "LD_LIBRARY_PATH"}
    env.update(OPENQNN_DETERMINISTIC="1", NO_COLOR="1", LC_ALL="C.UTF-8")
    return env


def run_tool(tool, arguments, folder, given=os.devnull, piped=False, device=None):
    stdin = os.open(folder / given, os.O_RDONLY)  # a folder, too
    stdout = os.open(device, os.O_WRONLY) if device else subprocess.PIPE
    source = {"input": os.read(stdin, 65536).decode()} if piped else {"stdin": stdin}
    try:
        done = subprocess.run([str(tool), *arguments], cwd=folder, env=environment(), text=True, encoding="utf-8",
                              stdout=stdout, stderr=subprocess.PIPE, timeout=240, check=False, **source)
        done.stdout = done.stdout or ""  # None of a device
        return done
    finally:
        os.close(stdin)
        if device:
            os.close(stdout)


def prepare(tool, fixture):
    shutil.rmtree(fixture, ignore_errors=True)
    fixture.mkdir(parents=True)
    done = run_tool(tool, ["demo", "--out", str(fixture)], fixture)
    if done.returncode != 0:
        raise Failed(f"openqnn demo failed with {done.returncode}:\n{done.stdout}{done.stderr}")
    for path in fixture.iterdir():
        if path.name != "demo.bin":
            path.unlink()


class Command:
    """A run of the tool and what it must give."""

    def __init__(self, line, number):
        words = shlex.split(line)
        if not words or not re.fullmatch(r"openqnn|q(nn|airt)-[a-z-]+", words[0]):
            raise Failed(f"line {number}: a command must begin with openqnn or the name of a program beside it")
        self.given, self.piped, self.kept, self.device = os.devnull, False, None, None
        while len(words) > 2 and words[-2] in ("<", "<|", ">"):
            if words[-2] == ">" and words[-1].startswith("/dev/"):
                self.device = words[-1]
            elif words[-2] == ">":
                self.kept = words[-1]
            else:
                self.given, self.piped = words[-1], words[-2] == "<|"
            words = words[:-2]
        self.text, self.number, self.program, self.arguments = line, number, words[0], words[1:]
        self.exit, self.out, self.err = 0, [], []


def parse(path):
    steps = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#") or not line.strip():
            continue
        kind, _, rest = line.partition(" ")
        if kind == "|" and steps and isinstance(steps[-1][1], list) and steps[-1][1][0] in ("file", "lines"):
            steps[-1][1].append(rest)
        elif kind == "!":
            steps.append((number, shlex.split(rest)))
        elif kind == "$":
            steps.append((number, Command(rest, number)))
        elif not steps or not isinstance(steps[-1][1], Command):
            raise Failed(f"line {number}: an expectation must follow a command")
        elif kind == "exit":
            steps[-1][1].exit = int(rest)
        elif kind == ">":
            steps[-1][1].out.append(rest)
        elif kind == "2>":
            steps[-1][1].err.append(rest)
        else:
            raise Failed(f"line {number}: cannot read '{line}'")
    return steps


def matches(expected, actual):
    """Whether the lines fit, `...` standing for any number of them."""
    pattern = ""
    for line in expected:
        if line == "...":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += re.escape(line.rstrip()).replace(r"\*", r"[^\n]*") + r"[ ]*\n"
    return re.fullmatch(pattern, actual) is not None


def check_stream(command, name, expected, actual):
    if matches(expected, actual):
        return
    diff = "\n".join(difflib.unified_diff(expected, actual.splitlines(), "expected", "actual", lineterm="", n=2))
    raise Failed(f"line {command.number}: $ {command.text}\n{name} differs:\n{diff}")


def check_json(value, name, path="", *expected):
    """What stands at a path must be the expected text; without a path there is nothing to check."""
    for key in path.split(".") if path else []:
        value = value[int(key) if isinstance(value, list) else key]
    if expected and str(value) != expected[0]:
        raise Failed(f"{name}: {path} is {value}, not {expected[0]}")


def do_step(words, folder, libraries):
    verb, *names = words
    path = folder / names[0]
    if verb == "truncate":
        with open(path, "r+b") as file:
            file.truncate(int(names[1]))
    elif verb == "flip":
        data = bytearray(path.read_bytes())
        data[int(names[1])] ^= 0xFF
        path.write_bytes(data)
    elif verb == "write":
        path.write_text(names[1].replace("$HERE", str(folder)) + "\n", encoding="utf-8")
    elif verb == "file":
        path.write_text("".join(f"{line}\n" for line in names[1:]), encoding="utf-8")
    elif verb == "bytes":
        path.write_bytes(bytes.fromhex(names[1]))
    elif verb == "folder":
        path.mkdir()
    elif verb == "copy":
        shutil.copyfile(path, folder / names[1])
    elif verb == "repeat":
        path.write_text(names[2] * int(names[1]), encoding="utf-8")
    elif verb == "same":
        if not filecmp.cmp(path, folder / names[1], shallow=False):
            raise Failed(f"{names[0]} and {names[1]} differ")
    elif verb == "same_end":
        ends = [each.read_bytes()[-int(names[2]):] for each in (path, folder / names[1])]
        if ends[0] != ends[1]:
            raise Failed(f"the last {names[2]} bytes of {names[0]} and {names[1]} differ")
    elif verb == "corpus":
        shutil.copyfile(CORPUS / names[0], folder / names[1])
    elif verb == "library":
        shutil.copyfile(libraries / names[0], folder / names[1])
    elif verb == "floats":
        path.write_bytes(struct.pack(f"<{names[1]}f", *(i * float(names[2]) for i in range(int(names[1])))))
    elif verb == "json":
        check_json(json.loads(path.read_text(encoding="utf-8")), *names)
    elif verb == "holds":
        if path.read_bytes().hex() != names[1]:
            raise Failed(f"{names[0]} holds {path.read_bytes().hex()}")
    elif verb == "joined":
        if path.read_bytes() != b"".join((folder / name).read_bytes() for name in names[1:]):
            raise Failed(f"{names[0]} is not {', '.join(names[1:])} one after the other")
    elif verb == "lines":
        if not matches(names[1:], path.read_text(encoding="utf-8")):
            raise Failed(f"{names[0]} has other lines:\n{path.read_text(encoding='utf-8')}")
    elif verb in ("contains", "lacks"):
        if (names[1] in path.read_text(encoding="utf-8")) != (verb == "contains"):
            raise Failed(f"{names[0]} {'lacks' if verb == 'contains' else 'contains'} {names[1]}")
    elif verb == "missing":
        if path.exists():
            raise Failed(f"{names[0]} exists")
    else:
        raise Failed(f"there is no step '{verb}'")


def run_case(tool, fixture, case, show):
    steps = parse(case)
    if not any(isinstance(step, Command) for _, step in steps):
        raise Failed("the case runs nothing")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copytree(fixture, folder, dirs_exist_ok=True)
        for number, step in steps:
            if not isinstance(step, Command):
                try:
                    do_step(step, folder, tool.parent.parent / "lib")
                except (OSError, ValueError, LookupError, TypeError) as error:
                    raise Failed(f"line {number}: {error}") from error
                continue
            done = run_tool(tool if step.program == "openqnn" else tool.parent / step.program, step.arguments, folder,
                            step.given, step.piped, step.device)
            if step.kept:
                (folder / step.kept).write_text(done.stdout, encoding="utf-8")
                done.stdout = ""
            if show:
                print(f"$ {step.text}\nexit {done.returncode}")
                print("".join(f"> {line}\n" for line in done.stdout.splitlines()), end="")
                print("".join(f"2> {line}\n" for line in done.stderr.splitlines()), end="")
                continue
            if done.returncode != step.exit:
                raise Failed(f"line {step.number}: $ {step.text}\nexit status {done.returncode}, expected {step.exit}\n"
                             f"{done.stdout}{done.stderr}")
            check_stream(step, "standard output", step.out, done.stdout)
            check_stream(step, "standard error", step.err, done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, type=pathlib.Path)
    parser.add_argument("--fixture", required=True, type=pathlib.Path)
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("cases", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    tool = args.tool.resolve()
    failed = 0
    try:
        if args.prepare:
            prepare(tool, args.fixture.resolve())
    except Failed as error:
        print(error)
        return 1
    for case in args.cases:
        try:
            run_case(tool, args.fixture.resolve(), case, args.show)
        except Failed as error:
            print(f"{case.name}: {error}")
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
