"""The migrations that are attacked, and the judge: what a store must hold after whatever happened to a migration."""

import base64
import collections
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
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


# How a run ended, and what it wrote to standard error.
Result = collections.namedtuple("Result", "code errors")
KILLED = Result(-signal.SIGKILL, "")


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
        self.start = {str(path.relative_to(self.folder)): path.read_bytes() if path.is_file() else None
                      for path in sorted(self.folder.rglob("*"))}
        folder = work / f"reference-{scenario.name}"
        shutil.copytree(self.folder, folder)
        result = self.run(folder)
        if result.code != 0:
            sys.exit(f"attack: {scenario.name} fails without a fault:\n{result.errors}")
        self.new = digest(folder / self.target)
        self.names = set(files_below(folder))
        assert self.new and self.new != self.old

    @property
    def target(self):
        return "New.sqlite" if "--to" in self.scenario.arguments else STORE

    def run(self, folder, environment=None):
        tool = "heavylift" if self.scenario.store == "gallery" else "SampleTool"
        models = GALLERY if self.scenario.store == "gallery" else MUSIC
        try:
            done = subprocess.run(
                [self.tools / tool, "migrate", STORE, *models, *self.scenario.arguments, "--quiet"], cwd=folder,
                env=os.environ | (environment or {}), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)
            return Result(done.returncode, done.stderr.decode(errors="replace"))
        except subprocess.TimeoutExpired:
            return Result("timeout", "it did not end within a minute")

    def is_old(self, folder):
        store = folder / STORE
        if self.scenario.state == "damaged":
            return store.exists() and store.read_bytes() == self.files[STORE]
        return digest(store) == self.old

    def judge(self, folder, result):
        """What is wrong after a run that something has happened to."""
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
