#!/usr/bin/env python3
"""Lists the public symbols of all modules, one line each, from symbol graphs. Called by Scripts/documentation.

surface.py FOLDER LIST [--update]

Compares the list with the file LIST, and fails if they differ; with --update, writes the file instead.
"""

import json
import pathlib
import sys

HEAD = "# Every public symbol, by module. 'Scripts/documentation --update' writes this file: read what it changes.\n"


def text(symbol):
    fragments = symbol.get("declarationFragments", [])
    return " ".join("".join(fragment["spelling"] for fragment in fragments).split())


def lines(file):
    graph = json.loads(file.read_text())
    for symbol in graph["symbols"]:
        written = "location" in symbol and "::SYNTHESIZED::" not in symbol["identifier"]["precise"]
        if not written or symbol["kind"]["identifier"] == "swift.extension":
            continue
        owner = ".".join(symbol["pathComponents"][:-1])
        yield f"{owner}: {text(symbol)}" if owner else text(symbol)


def listing(folder):
    modules = {}
    for file in sorted(folder.glob("*.symbols.json")):
        module = file.name.removesuffix(".symbols.json").split("@")[0]
        modules.setdefault(module, set()).update(lines(file))
    parts = [f"\n## {module}: {len(found)}\n\n" + "\n".join(sorted(found)) + "\n" for module, found in modules.items()]
    return HEAD + "".join(parts)


def main():
    folder, place = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    new = listing(folder)
    if "--update" in sys.argv:
        place.write_text(new)
        return
    old = place.read_text().splitlines()
    changes = [f"- {line}" for line in old if line not in set(new.splitlines())]
    changes += [f"+ {line}" for line in new.splitlines() if line not in set(old)]
    if changes:
        print("\n".join(changes), file=sys.stderr)
        sys.exit(f"error: {place} is out of date; run 'Scripts/documentation --update', and read the changes")


main()
