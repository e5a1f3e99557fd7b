"""Finds words that read as translated in comments, messages, names of tests and Markdown.

check.py [--count] [PATH...]   PATH: a file or a folder; all of the project's prose if there is none.
"""

import argparse
import collections
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
ROOTS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Package.swift", "Sources", "Tests", "Plugins",
         "MappingModels", "Benchmarks", "Scripts"]

COMMENT = re.compile(r"(?:^|\s)//+[:/]?\s?(.*)$")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
NAME = re.compile(r"func `([^`]*)`")


def words():
    part, found = None, {"first": [], "anywhere": []}
    for line in (HERE / "words.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            part = line.strip("[]")
            continue
        pattern, advice = re.split(r"\t+", line, maxsplit=1)
        found[part].append((re.compile(pattern), advice))
    return found


def exceptions():
    """A line of the file: a path, a colon, a text that the prose has, a tab, the reason."""
    found = collections.defaultdict(list)
    path = HERE / "exceptions.txt"
    for line in path.read_text().splitlines() if path.exists() else []:
        if line and not line.startswith("#"):
            place = line.split("\t")[0]
            name, text = place.split(": ", 1)
            found[name].append(text)
    return found


def prose(path):
    """The pieces of a file that people read: line number, text, true for the start of a comment."""
    lines = path.read_text(errors="replace").splitlines()
    if path.suffix == ".md":
        is_code = False
        for number, line in enumerate(lines, 1):
            if line.lstrip().startswith("```"):
                is_code = not is_code
            elif not is_code:
                yield number, re.sub(r"`[^`]*`", "`", line), False
        return
    was_comment = is_text = False
    for number, line in enumerate(lines, 1):
        if path.suffix != ".swift":
            comment = re.search(r"(?:^|\s)#+ (.*)$", line)
            if comment:
                yield number, comment.group(1), not was_comment
            was_comment = bool(comment) and line.lstrip().startswith("#")
            continue
        if line.count('"""') % 2:
            is_text = not is_text
            continue
        if is_text:
            yield number, line, False
            continue
        for match in [*STRING.finditer(line), *NAME.finditer(line)]:
            yield number, match.group(1), False
        comment = COMMENT.search(STRING.sub('""', line))
        if comment:
            yield number, re.sub(r"`[^`]*`", "`", comment.group(1)), not was_comment
        was_comment = bool(comment) and line.lstrip().startswith("//")


def files(paths):
    for path in paths:
        if path.is_file():
            yield path
        else:
            yield from sorted(file for file in path.rglob("*")
                              if file.suffix in (".swift", ".md", ".py", ".sh") and ".build" not in file.parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", action="store_true", help="print the number of findings in each folder")
    parser.add_argument("path", nargs="*", type=Path)
    arguments = parser.parse_args()
    rules, allowed = words(), exceptions()
    counts = collections.Counter()
    for file in files(arguments.path or [PROJECT / root for root in ROOTS]):
        name = str(file.resolve().relative_to(PROJECT))
        if name.startswith("Scripts/English/"):
            continue
        for number, text, is_start in prose(file):
            for pattern, advice in (rules["first"] if is_start else []) + rules["anywhere"]:
                match = pattern.match(text) if (pattern, advice) in rules["first"] else pattern.search(text)
                if not match or any(part in text for part in allowed[name]):
                    continue
                counts["/".join(name.split("/")[:2])] += 1
                if not arguments.count:
                    print(f"{name}:{number}: '{match.group(0)}': {advice}\n    {text.strip()}")
    for place, count in sorted(counts.items()):
        if arguments.count:
            print(f"{count:6} {place}")
    if counts:
        print(f"{sum(counts.values())} to reword")
        sys.exit(1)


main()
