"""Attacks migrations of the built tool: at one call to the file system after another, the process is killed, a write torn,
or an error returned. Afterwards the store must be the old one or the new one, whole, and the next run must end well.

attack.py --tools FOLDER [--quick | --full] [SCENARIO...]
"""

import argparse
import base64
import collections
import errno
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
GALLERY = ["--model", str(HERE / "Gallery.xcdatamodeld"), "--mappings", str(HERE), "--infer"]
MUSIC = ["--model", str(PROJECT / "MappingModels/Music/Music.xcdatamodeld"),
         "--mappings", str(PROJECT / "MappingModels/Music")]

# A scenario: how the store lies there, and how it is migrated. Paths are relative to its folder.
Scenario = collections.namedtuple("Scenario", "name store state arguments")
SCENARIOS = [
    Scenario("declared", "gallery", "plain", ["--version", "Gallery 2"]),
    Scenario("chain", "gallery", "plain", []),
    Scenario("chain-wal", "gallery", "log", []),
    Scenario("journal", "gallery", "journal", ["--version", "Gallery 2"]),
    Scenario("backup", "gallery", "log", ["--backup", "Old.sqlite"]),
    Scenario("provenance", "gallery", "plain", ["--provenance", "Origins.sqlite"]),
    Scenario("into", "gallery", "log", ["--to", "New.sqlite"]),
    Scenario("policy", "music", "plain", []),
    Scenario("policy-wal", "music", "log", ["--backup", "Old.sqlite"]),
    Scenario("salvage", "gallery", "damaged", ["--accept-damage", "--backup", "Old.sqlite"]),
]

# A fault: what the preloaded library does, at which calls, with which error.
Fault = collections.namedtuple("Fault", "name mode calls error")
FAULTS = [Fault("kill", "kill", "changing", 0), Fault("torn write", "torn", "changing", 0),
          Fault("short write", "short", "changing", 0)]
FAULTS += [Fault(f"{errno.errorcode[number]} {'for good' if mode.endswith('good') else 'once'}, {calls}",
                 mode, calls, number)
           for calls, mode, numbers in [
               ("changing", "errno", [errno.EIO, errno.ENOSPC, errno.EACCES, errno.EDQUOT, errno.EROFS, errno.EINTR]),
               ("changing", "errno-for-good", [errno.EIO, errno.ENOSPC]),
               ("reading", "errno", [errno.EIO, errno.EACCES, errno.ENOMEM, errno.EINTR, errno.EMFILE]),
               ("reading", "errno-for-good", [errno.EIO])]
           for number in numbers]

STORE = "Store.sqlite"


def external_folder(store):
    return store.parent / f".{store.stem}_SUPPORT/_EXTERNAL_DATA"


def digest(store):
    """What a store holds, its large values included; None if there is no store. The files are copied first: reading a
    store would tidy it up."""
    if not store.exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / store.name
        for suffix in ["", "-wal", "-journal"]:
            beside = store.parent / (store.name + suffix)
            if beside.exists():
                shutil.copyfile(beside, copy.parent / (copy.name + suffix))
        try:
            return digest_of_rows(copy, external_folder(store))
        except sqlite3.DatabaseError as error:
            return f"unreadable: {error}"


def digest_of_rows(store, values):
    database = sqlite3.connect(store)
    database.text_factory = bytes
    found = hashlib.sha256()
    names = [row[0].decode() for row in database.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    for name in names:
        # The metadata have an identifier of the store, and the time.
        if name in ("Z_METADATA", "Z_MODELCACHE"):
            continue
        found.update(name.encode())
        for row in database.execute(f'SELECT * FROM "{name}" ORDER BY 1, 2'):
            for value in row:
                if isinstance(value, bytes) and len(value) == 38 and value[0] == 2:
                    file = values / value[1:37].decode()
                    value = hashlib.sha256(file.read_bytes()).digest() if file.exists() else b"missing"
                found.update(repr(value).encode())
    database.close()
    return found.hexdigest()


def files_below(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Template:
    """A scenario's folder before a run, and what the stores must hold before and after."""

    def __init__(self, scenario, tools, work):
        self.scenario, self.tools = scenario, tools
        self.folder = work / f"template-{scenario.name}"
        self.folder.mkdir()
        graph = self.folder.parent / f"{scenario.name}.json"
        model = GALLERY[1] if scenario.store == "gallery" else MUSIC[1]
        source = PROJECT / "Fixtures/Samples/Music/graph-1.json"
        graph.write_text(json.dumps(gallery()) if scenario.store == "gallery" else source.read_text())
        subprocess.run([tools / "heavylift", "graph", "build", graph, "-m", model, "-o", self.folder / STORE],
                       check=True, stdout=subprocess.DEVNULL)
        set_state(self.folder / STORE, scenario)
        self.old = digest(self.folder / STORE) if scenario.state != "damaged" else None
        self.files = files_below(self.folder)
        folder = work / f"reference-{scenario.name}"
        shutil.copytree(self.folder, folder)
        result = self.run(folder, None)
        if result.code != 0:
            sys.exit(f"attack: {scenario.name} fails without a fault:\n{result.errors}")
        self.new = digest(folder / self.target)
        self.names = set(files_below(folder))
        assert self.new and self.new != self.old

    @property
    def target(self):
        return "New.sqlite" if "--to" in self.scenario.arguments else STORE

    def run(self, folder, fault, nth=0, log=None):
        tool = "heavylift" if self.scenario.store == "gallery" else "SampleTool"
        models = GALLERY if self.scenario.store == "gallery" else MUSIC
        environment = dict(os.environ)
        if fault:
            environment |= {
                "LD_PRELOAD": str(self.tools / "attack-faults.so"), "ATTACK_FOLDER": str(folder),
                "ATTACK_MODE": fault.mode, "ATTACK_CALLS": fault.calls, "ATTACK_NTH": str(nth),
                "ATTACK_ERRNO": str(fault.error)}
            if log:
                environment["ATTACK_LOG"] = str(log)
        Result = collections.namedtuple("Result", "code errors")
        try:
            done = subprocess.run(
                [self.tools / tool, "migrate", STORE, *models, *self.scenario.arguments, "--quiet"], cwd=folder,
                env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)
            return Result(done.returncode, done.stderr.decode(errors="replace"))
        except subprocess.TimeoutExpired:
            return Result("timeout", "it did not end within a minute")

    def is_old(self, folder):
        store = folder / STORE
        if self.scenario.state == "damaged":
            return store.exists() and store.read_bytes() == self.files[STORE]
        return digest(store) == self.old

    def judge(self, folder, fault, result):
        """What is wrong after a run that a fault has met."""
        is_new = digest(folder / self.target) == self.new if (folder / self.target).exists() else False
        problems = []
        if result.code == "timeout":
            problems.append("it hangs")
        elif result.code != -signal.SIGKILL and (result.code < 0 or result.code not in (0, 1, 2)):
            problems.append(f"it ended with {result.code}")
        if self.target != STORE:
            if not self.is_old(folder):
                problems.append("the source has changed")
            if (folder / self.target).exists() and not is_new:
                problems.append("the new store is not whole")
        elif not is_new and not self.is_old(folder):
            problems.append("the store is neither the old one nor the new one")
        if result.code == 0 and not is_new:
            problems.append("it says that it is done, and it is not")
        if result.code in (1, 2) and not result.errors:
            problems.append("it fails without a word")
        if "--backup" in self.scenario.arguments and is_new and not (folder / "Old.sqlite").exists():
            problems.append("the backup is missing")
        return problems

    def judge_end(self, folder, result):
        """What is wrong after the next run, which nothing disturbs."""
        is_there = "is there already" in result.errors and self.target != STORE
        problems = [] if result.code == 0 or is_there else [f"the next run fails: {result.errors.strip()}"]
        if digest(folder / self.target) != self.new:
            problems.append("after the next run, the store is not the new one")
        found = {name for name in files_below(folder)
                 if not name.endswith(("-shm", "-wal")) and "_EXTERNAL_DATA" not in name}
        wanted = {name for name in self.names if not name.endswith(("-shm", "-wal")) and "_EXTERNAL_DATA" not in name}
        if found != wanted:
            problems.append(f"after the next run, there are {sorted(found ^ wanted)}")
        counts = [sum("_EXTERNAL_DATA" in name for name in names) for names in (files_below(folder), self.names)]
        if counts[0] != counts[1]:
            problems.append(f"after the next run, there are {counts[0]} large values instead of {counts[1]}")
        return problems


def gallery():
    objects = {"Album": {f"a{number}": {"title": f"Album {number}"} for number in range(3)}, "Picture": {}}
    for number in range(60):
        picture = {"caption": f"Picture {number} " + "." * 200, "album": f"a{number % 3}"}
        if number < 3:
            picture["pixels"] = base64.b64encode(bytes([number]) * 150_000).decode()
        objects["Picture"][f"p{number}"] = picture
    return {"model": "Gallery 1", "objects": objects}


def set_state(store, scenario):
    """Leaves a store as a program leaves it: closed, killed with changes in its log, or killed within a change."""
    table, column = ("ZPICTURE", "ZCAPTION") if scenario.store == "gallery" else ("ZTRACK", "ZTITLE")
    if scenario.state == "damaged":
        data = bytearray(store.read_bytes())
        page = data.index(b"Picture 30 ") // 4096 * 4096
        data[page:page + 4096] = bytes(4096)
        store.write_bytes(data)
        return
    if scenario.state == "plain":
        return
    database = sqlite3.connect(store, isolation_level=None)
    if scenario.state == "log":
        database.execute("PRAGMA journal_mode = WAL")
        database.execute(f"UPDATE {table} SET {column} = {column} || ' edited'")
    else:
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute("PRAGMA cache_size = 2")
        database.execute("BEGIN")
        database.execute(f"UPDATE {table} SET {column} = {column} || ' lost'")
    kept = {}
    for suffix in ["", "-wal", "-journal"]:
        beside = store.parent / (store.name + suffix)
        if beside.exists():
            kept[beside] = beside.read_bytes()
    database.close()
    for suffix in ["-wal", "-shm", "-journal"]:
        (store.parent / (store.name + suffix)).unlink(missing_ok=True)
    for path, data in kept.items():
        path.write_bytes(data)


class Attack:
    def __init__(self, tools, work, interval, crashes):
        self.tools, self.work, self.interval, self.crashes = tools, work, interval, crashes
        self.table = collections.Counter()
        self.codes = collections.Counter()
        self.findings = []

    def run(self, scenario):
        template = Template(scenario, self.tools, self.work)
        counts = {}
        for calls in ["changing", "reading"]:
            folder = self.copy(template, f"count-{calls}")
            log = self.work / f"log-{scenario.name}-{calls}"
            template.run(folder, Fault("count", "count", calls, 0), log=log)
            counts[calls] = log.read_text().count("\n")
            shutil.rmtree(folder)
        jobs = []
        for place, fault in enumerate(FAULTS):
            interval = self.interval * (3 if fault.mode not in ("kill", "torn") else 1)
            # Each fault begins at another call.
            jobs += [(fault, nth) for nth in range(1 + place % interval, counts[fault.calls] + 1, interval)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for fault, code, problems, nth in pool.map(lambda job: self.attempt(template, *job), jobs):
                self.table[(scenario.name, fault.name)] += 1
                self.codes[(fault.name, "ended" if code == 0 else "killed" if code == -signal.SIGKILL else "failed")] += 1
                for problem in problems:
                    self.findings.append((scenario.name, fault.name, nth, problem))
        print(f"{scenario.name}: {counts['changing']} changing and {counts['reading']} reading calls, "
              f"{len(jobs)} faults, {sum(1 for finding in self.findings if finding[0] == scenario.name)} findings",
              flush=True)

    def copy(self, template, name):
        folder = self.work / f"{template.scenario.name}-{name}".replace(" ", "-").replace(",", "")
        shutil.copytree(template.folder, folder)
        return folder

    def attempt(self, template, fault, nth):
        folder = self.copy(template, f"{fault.name}-{nth}")
        code = None
        try:
            result = template.run(folder, fault, nth)
            code = result.code
            problems = template.judge(folder, fault, result)
            # A crash within the run that goes on from a crash.
            for step in range(self.crashes if fault.mode == "kill" else 0):
                result = template.run(folder, fault, 3 + (nth * 7 + step * 13) % 60)
                problems += template.judge(folder, fault, result)
            problems += template.judge_end(folder, template.run(folder, None))
        except Exception as error:  # A judge that fails is a finding, too.
            problems = [f"it cannot be judged: {error!r}"]
        if not problems:
            shutil.rmtree(folder, ignore_errors=True)
        return fault, code, problems, nth


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--quick", action="store_true", help="a sample of all calls")
    parser.add_argument("--full", action="store_true", help="every call")
    parser.add_argument("scenario", nargs="*", choices=[[], *[scenario.name for scenario in SCENARIOS]])
    arguments = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="heavylift-attack-"))
    attack = Attack(arguments.tools.resolve(), work, interval=1 if arguments.full else 61,
                    crashes=3 if arguments.full else 1)
    start = time.monotonic()
    for scenario in SCENARIOS:
        if not arguments.scenario or scenario.name in arguments.scenario:
            attack.run(scenario)
    print()
    for fault in FAULTS:
        count = sum(number for (_, name), number in attack.table.items() if name == fault.name)
        failed = sum(1 for finding in attack.findings if finding[1] == fault.name)
        ends = [attack.codes[(fault.name, end)] for end in ("killed", "failed", "ended")]
        print(f"{fault.name:28} {count:6} tried: {ends[0]:5} killed, {ends[1]:5} failed, {ends[2]:5} migrated, "
              f"{failed:4} findings")
    print(f"{'all':28} {sum(attack.table.values()):6} tried, {len(attack.findings):4} findings, "
          f"{time.monotonic() - start:.0f} s")
    for scenario, fault, nth, problem in attack.findings:
        print(f"FOUND {scenario}, {fault}, call {nth}: {problem}")
    if attack.findings:
        print(f"what is left lies in {work}")
        sys.exit(1)
    shutil.rmtree(work, ignore_errors=True)


main()
