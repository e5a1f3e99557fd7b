"""Large stores: the tool creates an empty one, and SQL fills it."""

import json
import sqlite3
import subprocess
import uuid


def objects(entity, count, **columns):
    """The statements that fill an entity's table. A column is an expression over `i`, from 1 to the count."""
    names = ", ".join(f"Z_FOK_{name[4:]}" if name.startswith("FOK_") else f"Z{name}" for name in columns)
    return [f"""
        INSERT INTO Z{entity.upper()} (Z_PK, Z_ENT, Z_OPT, {names})
        WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < {count})
        SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '{entity}'), 1, {", ".join(columns.values())}
        FROM numbers""",
            f"UPDATE Z_PRIMARYKEY SET Z_MAX = {count} WHERE Z_NAME = '{entity}'"]


def links(table, count, **columns):
    """The statement that fills a join table. A column is an expression over `i`, from 1 to the count."""
    return [f"""
        INSERT INTO {table} ({", ".join(columns)})
        WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < {count})
        SELECT {", ".join(columns.values())} FROM numbers"""]


def build_store(tools, store, model, version, statements):
    graph = store.with_suffix(".json")
    graph.write_text(json.dumps({"model": version, "objects": {}}))
    subprocess.run([tools / "heavylift", "graph", "build", graph, "-m", model, "-o", store],
                   check=True, stdout=subprocess.DEVNULL)
    graph.unlink()
    fill(store, statements)


def fill(store, statements):
    database = sqlite3.connect(store, isolation_level=None)
    database.create_function("external_value", 1, lambda size: external_value(store, size))
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("PRAGMA synchronous = OFF")
    # Indexes are created after the rows, which is many times faster.
    indexes = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL").fetchall()
    database.execute("BEGIN")
    for name, _ in indexes:
        database.execute(f'DROP INDEX "{name}"')
    for statement in statements:
        database.execute(statement)
    for _, sql in indexes:
        database.execute(sql)
    database.execute("COMMIT")
    database.execute("PRAGMA journal_mode = WAL")
    database.close()


def external_value(store, size):
    """Writes a value to a file of its own, and returns the reference that the row holds instead."""
    folder = store.parent / f".{store.stem}_SUPPORT/_EXTERNAL_DATA"
    folder.mkdir(parents=True, exist_ok=True)
    name = str(uuid.uuid4()).upper()
    with open("/dev/urandom", "rb") as source, open(folder / name, "wb") as file:
        for start in range(0, size, 1 << 20):
            file.write(source.read(min(1 << 20, size - start)))
    return b"\x02" + name.encode() + b"\x00"
