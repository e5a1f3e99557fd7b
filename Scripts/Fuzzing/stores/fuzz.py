#!/usr/bin/env python3
"""Damages stores, logs, journals and object graphs, and inspects, migrates and builds them with the built tool.

usage: fuzz.py store|wal|graph --tool PATH [--seconds N] [--seed N] [--case NAME/NUMBER] [--keep FOLDER]

The tool must neither crash, hang nor use unbounded memory. A migration that fails must not change the store's
bytes; one that succeeds without a warning, on a store that SQLite considers sound, must conserve rows and values.

A case is determined by its name and the run's seed: `--case Shelf/17 --seed 1` repeats it and keeps its files.
"""
import argparse, collections, os, random, resource, shutil, sqlite3, subprocess, sys, tempfile, time
from bases import bases, snapshot, SIDES
import damage, graphs

TIMEOUT, MEMORY = 30, 3 << 30


class Tool:
    def __init__(self, path): self.path, self.runs = os.path.abspath(path), 0

    def run(self, *arguments):
        """The exit code, or None after a hang; and the text of standard error."""
        self.runs += 1
        def limits():
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
        try:
            done = subprocess.run([self.path, *arguments], capture_output=True, timeout=TIMEOUT, preexec_fn=limits, env=environment)
        except subprocess.TimeoutExpired:
            return None, f"no end after {TIMEOUT} s"
        return done.returncode, done.stderr.decode("utf-8", "replace")


def contents(folder):
    found = {}
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            with open(path, "rb") as file: found[os.path.relpath(path, folder)] = file.read()
    return found


def attempt(tool, base, folder, number, seed, target, tally):
    """Damages a copy of the base in `folder`; returns the problems."""
    chance = random.Random(f"{seed} {target} {base.name} {number}")
    work = os.path.join(folder, "work")
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(base.folder, work)
    store = os.path.join(work, base.file)
    kinds = damage.apply(store, target, chance)
    before, problems = contents(work), []

    def use(*arguments):
        code, errors = tool.run(*arguments)
        if code not in (0, 1, 2): problems.append(f"{' '.join(arguments[:1])} ends with {code}: {errors[-300:]}")
        return code, errors

    models = [part for model in base.models for part in ("-m", model)]
    look = chance.random()
    if look < 0.4: use("inspect", store, "--hashes", *(models if chance.random() < 0.5 else []))
    if look > 0.6: use("dump", store, "--metadata", *(models if chance.random() < 0.5 else []))
    elsewhere = chance.random() < 0.3
    destination = os.path.join(folder, "new.sqlite") if elsewhere else store
    for name in os.listdir(folder):
        if name.startswith(("new.", ".new")): damage.remove(os.path.join(folder, name))
    # Inspecting may merge a log or roll back a journal, as every connection does.
    sound = damage.soundness(store, folder) if target == "store" or base.sides(before) else "ok"
    source = snapshot(damage.copy(store, folder), base.columns, base.flags) if sound == "ok" else None
    code, errors = use("migrate", store, *models, *base.arguments, "-q", *(["--to", destination] if elsewhere else []))
    first = next((line for line in errors.splitlines() if "error" in line or "warning" in line), errors.strip()[:60])
    kind = first.split("error[")[-1].split("]")[0] if "error[" in first else first[:50]
    tally[f"{code} {kind}"] += 1
    after = contents(work)
    if code != 0 or elsewhere:
        if not base.sides(before) and not base.sides(after) and after.get(base.file) != before.get(base.file):
            problems.append(f"the store's bytes changed, and the tool ended with {code}")
        # The work folder contains the state that a later run continues from.
        left = [name for name in after if name not in before and not name.endswith(SIDES) and ".heavylift/" not in name]
        if left: problems.append(f"left {left[:3]}")
    if code == 0:
        problems += [f"after a migration: {line}" for line in judge(source, sound, destination, base, folder, errors)]
    return kinds, problems


def judge(source, sound, destination, base, folder, errors):
    made = damage.soundness(destination, folder)
    if made != "ok": yield f"the new store is damaged: {made[:100]}"
    if "warning" in errors: return
    # An app can have a collation of its own.
    if "no such collation sequence" in sound: return
    if sound != "ok":
        yield f"the source is damaged, and nothing was said: {sound[:100]}"
        return
    new = snapshot(damage.copy(destination, folder), base.new_columns, base.flags)
    for key, rows in (source or {}).items():
        if rows is None or new.get(key) is None or rows == new[key]: continue
        yield f"{key}: {len(rows)} rows became {len(new[key])}" + difference(rows, new[key])


def difference(old, new):
    gone, come = list((collections.Counter(old) - collections.Counter(new)))[:2], list((collections.Counter(new) - collections.Counter(old)))[:2]
    return f"; gone {gone}, new {come}"[:400]


def fuzz_graphs(tool, options):
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    made, tally, found, begin, number = list(graphs.samples()), collections.Counter(), 0, time.time(), 0
    print(f"fuzz graph: seed {options.seed}, {len(made)} graphs", flush=True)
    with tempfile.TemporaryDirectory(prefix="heavylift-fuzz-", dir=scratch) as folder:
        if options.case: number = int(options.case.rsplit("/", 1)[-1])
        while True:
            outcome, problems = graphs.attempt(tool, folder, number, options.seed, made)
            tally[outcome] += 1
            if problems:
                found += 1
                os.makedirs(options.keep, exist_ok=True)
                kept = os.path.join(options.keep, f"graph-{options.seed}-{number}.json")
                graphs.attempt(tool, folder, number, options.seed, made, keep=kept)
                print(f"PROBLEM --case graph/{number} --seed {options.seed}, kept in {kept}", *problems, sep="\n  ", flush=True)
            number += 1
            if options.case or time.time() - begin >= options.seconds: break
    print(f"fuzz graph: seed {options.seed}, {sum(tally.values())} cases, {tool.runs} runs of the tool, {time.time() - begin:.0f} s, {found} problems")
    for key, times in tally.most_common(40): print(f"  {times:6} graph build ended with {key}")
    sys.exit(1 if found else 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("target", choices=["store", "wal", "graph"])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--case")
    parser.add_argument("--keep", default=".build/fuzz/stores")
    parser.add_argument("--corpus", default="../shared/corpus")
    options = parser.parse_args()
    tool = Tool(options.tool)
    if options.target == "graph": return fuzz_graphs(tool, options)
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="heavylift-fuzz-", dir=scratch) as folder:
        made = bases(options.target, tool, folder, options.corpus)
        print(f"fuzz {options.target}: seed {options.seed}, {len(made)} stores: {', '.join(base.name for base in made)}", flush=True)
        tally, kinds_tally, found, count, begin = collections.Counter(), collections.Counter(), 0, 0, time.time()
        def one(base, number):
            nonlocal found, count
            kinds, problems = attempt(tool, base, folder, number, options.seed, options.target, tally)
            count += 1
            for kind in kinds: kinds_tally[kind] += 1
            if not problems: return
            found += 1
            kept = os.path.join(options.keep, f"{options.target}-{options.seed}-{base.name}-{number}")
            print(f"PROBLEM --case {base.name}/{number} --seed {options.seed} ({', '.join(kinds)})", *problems, sep="\n  ", flush=True)
            if found > 50: return
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(base.folder, kept)
            damage.apply(os.path.join(kept, base.file), options.target, random.Random(f"{options.seed} {options.target} {base.name} {number}"))
            print(f"  kept in {kept}", flush=True)
        if options.case:
            name, number = options.case.rsplit("/", 1)
            one(next(base for base in made if base.name == name), int(number))
        else:
            # The project's own store is the richest, so every second case uses it.
            number = 0
            while time.time() - begin < options.seconds:
                base = made[0] if number % 2 == 0 else made[(number // 2) % len(made)]
                one(base, number)
                number += 1
        print(f"fuzz {options.target}: seed {options.seed}, {count} cases, {tool.runs} runs of the tool, {time.time() - begin:.0f} s, {found} problems")
        for key, times in tally.most_common(40): print(f"  {times:6} migrate ended with {key}")
        print("  damage: " + ", ".join(f"{kind} {times}" for kind, times in kinds_tally.most_common()))
        sys.exit(1 if found else 0)


if __name__ == "__main__": main()
