"""The stores that are damaged: one of the project's own with everything in it, and those of a corpus, if any."""
import base64, datetime, glob, json, os, random, shutil, sqlite3, uuid

SIDES = ("-wal", "-shm", "-journal")


class Base:
    def __init__(self, name, folder, file, models, arguments, renames=()):
        self.name, self.folder, self.file, self.models = name, folder, file, models
        self.arguments, self.renames = arguments, dict(renames)
        self.columns, self.new_columns, self.flags = {}, {}, set()

    def sides(self, files): return any(self.file + side in files for side in SIDES)

    def calibrate(self, tool, folder):
        """Migrates the store as it is. Columns that stay unchanged must do so in every damaged store."""
        old, new = (os.path.join(folder, name) for name in ("calibration-old", "calibration-new"))
        for copy in (old, new):
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(self.folder, copy)
        store, new = os.path.join(old, self.file), os.path.join(new, self.file)
        models = [part for model in self.models for part in ("-m", model)]
        # In place: a store with a hot journal is not migrated into another file.
        code, errors = tool.run("migrate", new, *models, *self.arguments, "-q")
        if code != 0: return False
        # A store that is already current is not changed.
        with open(store, "rb") as before, open(new, "rb") as after:
            if before.read() == after.read(): return False
        old_columns, new_columns = columns(store), columns(new)
        for table, names in old_columns.items():
            target = self.renames.get(table, table)
            # A join table's columns have the numbers of its entities, which change.
            if target not in new_columns: continue
            bare = {strip(name): name for name in new_columns[target]}
            shared = [(name, bare[strip(name)]) for name in names if strip(name) in bare and not is_redundant(name)]
            shared = [pair for pair in shared if rows(store, table, [pair[0]]) == rows(new, target, [pair[1]])]
            shared = [pair for pair in shared if belongs_to_all(store, table, pair[0])]
            if shared:
                self.columns[table] = (table, [old for old, _ in shared])
                self.new_columns[table] = (target, [new for _, new in shared])
                self.flags |= {name for pair in shared if are_flags(store, table, pair[0]) for name in pair}
        return bool(self.columns)


def strip(name): return name.lstrip("Z_0123456789") if name.startswith("Z_") and name[2:3].isdigit() else name


def is_redundant(name):
    """Entity numbers, also next to a link's key (`Z2_NEXT`), save counts and order keys: all are generated again."""
    return name.startswith(("Z_ENT", "Z_OPT", "Z_FOK")) or name[1:2].isdigit()


def columns(store):
    """Columns of the tables of entities and links."""
    with closing(store) as database:
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'Z%'")]
        tables = [name for name in tables if name not in ("Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE")]
        return {name: [row[1] for row in database.execute(f'PRAGMA table_info("{name}")')] for name in tables}


class closing:
    def __init__(self, path): self.path = path

    def __enter__(self):
        self.database = sqlite3.connect(self.path)
        self.database.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        return self.database

    def __exit__(self, *_): self.database.close()


def rows(store, table, names, flags=()):
    def quoted(name):
        if name in flags: return f"""iif(typeof("{name}") = 'integer' AND "{name}" <> 0, '1', quote("{name}"))"""
        # A large integer in a column of doubles loses its last digits whenever it is read.
        if types.get(name) in ("TIMESTAMP", "FLOAT"): return f"""quote(iif(typeof("{name}") = 'integer', CAST("{name}" AS REAL), "{name}"))"""
        return f'quote("{name}")'
    with closing(store) as database:
        types = {row[1]: row[2] for row in database.execute(f'PRAGMA table_info("{table}")')}
        listed = ", ".join(quoted(name) for name in names)
        return sorted(database.execute(f'SELECT {listed} FROM "{table}"').fetchall())


def are_flags(store, table, name):
    """True for a column that seems to be a Boolean attribute's: there, every number other than 0 means true."""
    values = {value for value, in rows(store, table, [name])} - {"NULL"}
    return bool(values) and values <= {"0", "1"}


def belongs_to_all(store, table, column):
    """False for a column of some entities of a hierarchy only: in a row whose entity is damaged it means nothing."""
    with closing(store) as database:
        if "Z_ENT" not in [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]: return True
        count = f'SELECT count(DISTINCT Z_ENT) FROM "{table}"'
        return database.execute(count).fetchone() == database.execute(f'{count} WHERE "{column}" IS NOT NULL').fetchone()


def snapshot(store, wanted, flags):
    """The values of the wanted columns; None for a table that cannot be read."""
    found = {}
    for key, (table, names) in wanted.items():
        try: found[key] = rows(store, table, names, flags)
        except Exception: found[key] = None
    return found


def graph():
    chance = random.Random(1)
    items = {}
    for number in range(160):
        item = {
            "name": f"item {number} " + "x" * chance.randrange(60), "count": chance.randrange(-9, 1 << chance.randrange(1, 60)),
            "weight": chance.random() * 100, "price": f"{chance.randrange(10000)}.{chance.randrange(1, 99):02}",
            "flag": chance.random() < 0.5, "uid": str(uuid.UUID(int=chance.getrandbits(128))).upper(),
            "added": (datetime.datetime(2024, 1, 1) + datetime.timedelta(minutes=number)).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "link": f"https://example.com/{number}", "shelf": f"shelf {number % 7}",
            "tags": [f"tag {tag}" for tag in chance.sample(range(12), chance.randrange(4))],
        }
        if number % 3 == 0: item["data"] = base64.b64encode(chance.randbytes(chance.randrange(300))).decode()
        if number % 40 == 0: item["cover"] = base64.b64encode(chance.randbytes(200_000)).decode()
        if number % 50 == 1: item["note"] = "long " * 3000
        if number % 5 == 0 and number: item["previous"] = f"item {number - 1}"
        items[f"item {number}"] = item
    books = {name: dict(item, pages=number) for number, (name, item) in enumerate(items.items()) if number % 4 == 0}
    return {
        "model": "Shelf 1",
        "objects": {
            "Book": books, "Item": {name: item for name, item in items.items() if name not in books},
            "Shelf": {f"shelf {number}": {"title": f"Shelf {number}"} for number in range(7)},
            "Tag": {f"tag {number}": {"label": f"Tag {number}"} for number in range(12)},
        },
    }


def bases(target, tool, folder, corpus):
    here = os.path.dirname(os.path.abspath(__file__))
    own = os.path.join(folder, "Shelf")
    os.makedirs(own)
    model = os.path.join(here, "Shelf.xcdatamodeld")
    with open(os.path.join(folder, "graph.json"), "w") as file: json.dump(graph(), file)
    code, errors = tool.run("graph", "build", file.name, "-m", model, "-o", os.path.join(own, "Shelf.sqlite"))
    if code != 0: raise SystemExit(f"the store to damage cannot be built: {errors}")
    renames = {"ZTAG": "ZLABEL"}
    with closing(os.path.join(own, "Shelf.sqlite")) as database:
        join = database.execute("SELECT name FROM sqlite_schema WHERE name LIKE 'Z\\_%TAGS' ESCAPE '\\'").fetchone()
        if join: renames[join[0]] = "Z_2TAGS"
    made = [Base("Shelf", own, "Shelf.sqlite", [model], ["--infer"], renames.items())]
    if target == "store":
        made += found(corpus, folder)
    else:
        made = [side(made[0], kind, folder) for kind in ("wal", "journal")]
        made += [base for base in found(corpus, folder) if base.sides(os.listdir(base.folder))]
    return [base for base in made if base.calibrate(tool, folder)]


def found(corpus, folder):
    """Stores of the corpus, with the models next to them."""
    for number, store in enumerate(sorted(glob.glob(os.path.join(corpus, "**/*.sqlite"), recursive=True))):
        project = os.path.join(corpus, os.path.relpath(store, corpus).split(os.sep)[0])
        models = sorted(glob.glob(os.path.join(project, "**/*.xcdatamodeld"), recursive=True))
        if os.path.getsize(store) > 2 << 20: continue
        copy = os.path.join(folder, f"corpus{number}")
        os.makedirs(copy)
        file = os.path.basename(store)
        for side in ("",) + SIDES:
            if os.path.exists(store + side): shutil.copy(store + side, os.path.join(copy, file + side))
        for model in models:
            name = f"{os.path.basename(project)}-{number}-{os.path.basename(model).split('.')[0]}"
            yield Base(name, copy, file, [os.path.abspath(model)], ["--infer"])


def side(base, kind, folder):
    """The store with a log that was not merged, or with the journal of a transaction that was not finished."""
    copy, live = os.path.join(folder, base.name + kind), os.path.join(folder, "live")
    shutil.copytree(base.folder, copy)
    shutil.rmtree(live, ignore_errors=True)
    shutil.copytree(base.folder, live)
    database = sqlite3.connect(os.path.join(live, base.file), isolation_level=None)
    database.execute(f"PRAGMA journal_mode = {'wal' if kind == 'wal' else 'delete'}")
    database.execute("PRAGMA cache_size = 2")
    database.execute("PRAGMA wal_autocheckpoint = 0")
    for turn in range(4 if kind == "wal" else 1):
        database.execute("BEGIN IMMEDIATE")
        database.execute("UPDATE ZITEM SET ZCOUNT = ZCOUNT + 1, ZNAME = ZNAME || 'y' WHERE Z_PK % 4 = ?", (turn,))
        if kind == "wal": database.execute("COMMIT")
    for part in ("",) + SIDES:
        path = os.path.join(live, base.file + part)
        if os.path.exists(path) and part != "-shm": shutil.copy(path, os.path.join(copy, base.file + part))
    database.close()
    return Base(base.name + kind, copy, base.file, base.models, base.arguments, base.renames.items())
