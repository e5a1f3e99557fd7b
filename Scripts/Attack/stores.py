"""Stores to migrate: how they are made, the state in which a program left them, and what they hold."""

import base64
import collections
import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
MUSIC_SAMPLE = PROJECT / "MappingModels/Music"
NO_MAPPINGS = PROJECT / "Scripts/Testing"
STORE = "Store.sqlite"
NOBODY = 65534
SUFFIXES = ["", "-wal", "-shm", "-journal"]


def albums():
    """A store that is large enough to start the new one as a copy of its file."""
    objects = {"Album": {f"a{number}": {"title": f"Album {number} " + "." * 240} for number in range(4_500)},
               "Picture": {"p1": {"caption": "Picture 1", "album": "a1"}}}
    return json.dumps({"model": "Gallery 1", "objects": objects})


def newer_gallery():
    """A store that the last version is inferred for."""
    return gallery().replace("Gallery 1", "Gallery 2")


def gallery():
    objects = {"Album": {f"a{number}": {"title": f"Album {number}"} for number in range(3)}, "Picture": {}}
    for number in range(60):
        picture = {"caption": f"Picture {number} " + "." * 200, "album": f"a{number % 3}"}
        if number < 3:
            picture["pixels"] = base64.b64encode(bytes([number]) * 150_000).decode()
        objects["Picture"][f"p{number}"] = picture
    return json.dumps({"model": "Gallery 1", "objects": objects})


# A kind of store: the tool and its files, the graph that the store is built from, and a text column to edit.
Kind = collections.namedtuple("Kind", "tool model mappings infers graph table column")
KINDS = {
    "gallery": Kind("heavylift", HERE / "Gallery.xcdatamodeld", HERE, True, gallery, "ZPICTURE", "ZCAPTION"),
    # Its migration drops all large values.
    "smaller": Kind("heavylift", HERE / "Gallery.xcdatamodeld", HERE / "Smaller", True, gallery, "ZPICTURE",
                    "ZCAPTION"),
    # Its albums stay as they are, except for a new column.
    "albums": Kind("heavylift", HERE / "Gallery.xcdatamodeld", HERE / "Smaller", True, albums, "ZALBUM", "ZTITLE"),
    # Its second hop runs in the store that the first one has written.
    "continued": Kind("heavylift", HERE / "Gallery.xcdatamodeld", HERE / "Objects", True, gallery, "ZPICTURE",
                      "ZCAPTION"),
    "newer": Kind("heavylift", HERE / "Gallery.xcdatamodeld", HERE, True, newer_gallery, "ZPICTURE", "ZCAPTION"),
    # Its versions are connected by custom stages: there is no mapping file in the folder.
    "staged": Kind("SampleTool", MUSIC_SAMPLE / "Music.xcdatamodeld", NO_MAPPINGS, False,
                   (PROJECT / "Fixtures/Samples/Music/graph-1.json").read_text, "ZTRACK", "ZTITLE"),
    "music": Kind("SampleTool", MUSIC_SAMPLE / "Music.xcdatamodeld", MUSIC_SAMPLE, False,
                  (PROJECT / "Fixtures/Samples/Music/graph-1.json").read_text, "ZTRACK", "ZTITLE"),
}


def build(kind, tools, store):
    graph = store.parent.with_suffix(".json")
    graph.write_text(kind.graph())
    subprocess.run([tools / "heavylift", "graph", "build", graph, "-m", kind.model, "-o", store], check=True,
                   stdout=subprocess.DEVNULL)


def damage(store, kind):
    data = bytearray(store.read_bytes())
    page = data.index(b"Picture 30 ") // 4096 * 4096
    data[page:page + 4096] = bytes(4096)
    store.write_bytes(data)


def close_in_rollback_mode(store, kind):
    database = sqlite3.connect(store, isolation_level=None)
    database.execute("PRAGMA journal_mode = DELETE")
    database.close()


def leave_log(store, kind):
    leave_open(store, ["PRAGMA journal_mode = WAL",
                       f"UPDATE {kind.table} SET {kind.column} = {kind.column} || ' edited'"])


def leave_hot_journal(store, kind):
    leave_open(store, ["PRAGMA journal_mode = DELETE", "PRAGMA cache_size = 2", "BEGIN",
                       f"UPDATE {kind.table} SET {kind.column} = {kind.column} || ' lost'"])


def leave_open(store, statements):
    """Leaves the files of a process that was killed after some statements."""
    database = sqlite3.connect(store, isolation_level=None)
    for statement in statements:
        database.execute(statement)
    files = {file: file.read_bytes() for file in files_of(store) if not file.name.endswith("-shm")}
    database.close()
    for file in files_of(store):
        file.unlink()
    for file, data in files.items():
        file.write_bytes(data)


def add_relatives(store, kind):
    """Adds copies of the store that share its folder for large values: one has all of them, one two, one none."""
    for name, missing in [("Store.db", "Z_PK < 0"), ("Store.backup", "Z_PK = 1"), ("Store", "TRUE")]:
        copy = store.with_name(name)
        shutil.copyfile(store, copy)
        copy.chmod(0o600)
        database = sqlite3.connect(copy, isolation_level=None)
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute(f"UPDATE ZPICTURE SET ZPIXELS = NULL WHERE {missing}")
        database.close()


def share(store, kind):
    """Gives a store to another user and a group, if this user may."""
    for path in [store.parent, *store.parent.rglob("*")]:
        path.chmod(0o770 if path.is_dir() else 0o660)
        if os.geteuid() == 0:
            os.chown(path, 54321, 54323)


def give_away(store, kind):
    """Gives a closed store to a user who cannot see which files other users' programs have open."""
    close_in_rollback_mode(store, kind)
    for path in [store.parent, *store.parent.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)


# The states that a store can be in.
STATES = {"closed": lambda store, kind: None, "rollback": close_in_rollback_mode, "log": leave_log,
          "journal": leave_hot_journal, "damaged": damage, "family": add_relatives, "shared": share,
          "given away": give_away}


def files_of(store):
    return [file for file in (store.with_name(store.name + suffix) for suffix in SUFFIXES) if file.exists()]


def external_folder(store):
    return store.parent / f".{store.stem}_SUPPORT/_EXTERNAL_DATA"


@contextlib.contextmanager
def copied(store):
    """Opens a copy: reading a store itself would recover it, and merge its log."""
    with tempfile.TemporaryDirectory() as folder:
        for file in files_of(store):
            if not file.name.endswith("-shm"):
                shutil.copyfile(file, Path(folder) / file.name)
        with contextlib.closing(sqlite3.connect(Path(folder) / store.name)) as database:
            yield database


def digest(store, without=None):
    """A digest of a store's rows and large values, optionally without one column. None if there is no store."""
    if not store.exists():
        return None
    try:
        with copied(store) as database:
            found = database.execute("PRAGMA integrity_check").fetchone()[0]
            return digest_of_rows(database, external_folder(store), without) if found == "ok" else f"damaged: {found}"
    except sqlite3.DatabaseError as error:
        return f"unreadable: {error}"


def digest_of_rows(database, values, without):
    database.text_factory = bytes
    found = hashlib.sha256()
    names = [row[0].decode() for row in database.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    for name in names:
        # The metadata contain the store's identifier and the time.
        if name in ("Z_METADATA", "Z_MODELCACHE"):
            continue
        found.update(name.encode())
        rows = database.execute(f'SELECT * FROM "{name}" ORDER BY 1, 2')
        # A carried table has new columns at its end. If the file cannot be copied, the table is created anew.
        columns = sorted((column[0], place) for place, column in enumerate(rows.description))
        found.update(repr([column for column, place in columns]).encode())
        for row in rows:
            for column, place in columns:
                value = row[place]
                if (name, column) == without:
                    continue
                if isinstance(value, bytes) and len(value) == 38 and value[0] == 2:
                    file = values / value[1:37].decode()
                    value = hashlib.sha256(file.read_bytes()).digest() if file.exists() else b"missing"
                found.update(repr(value).encode())
    return found.hexdigest()


def texts(store, kind):
    """The texts of the column to edit, by key."""
    with copied(store) as database:
        return dict(database.execute(f"SELECT Z_PK, {kind.column} FROM {kind.table} ORDER BY Z_PK"))
