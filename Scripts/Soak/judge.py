"""Compares a migrated store with the old one, using SQL that shares nothing with the migration."""

import hashlib
import sqlite3
from pathlib import Path


def rows(table, same, destination=None):
    """Counts the rows without a counterpart that has the same key and makes `same` true. `o` is the old row, `n` the
    new one."""
    destination = destination or table
    return (f"{table} to {destination}",
            f"SELECT (SELECT count(*) FROM old.{table} o LEFT JOIN main.{destination} n ON n.Z_PK = o.Z_PK "
            f"WHERE n.Z_PK IS NULL OR NOT ({same})) + "
            f"abs((SELECT count(*) FROM old.{table}) - (SELECT count(*) FROM main.{destination}))")


def same_links(table):
    """Counts the rows of a join table that only one of the stores has."""
    return (f"{table}",
            f"SELECT (SELECT count(*) FROM (SELECT * FROM old.{table} EXCEPT SELECT * FROM main.{table})) + "
            f"(SELECT count(*) FROM (SELECT * FROM main.{table} EXCEPT SELECT * FROM old.{table}))")


def same_order(table, owner):
    """Counts the rows whose place among the rows of their owner differs. Only the order of the keys counts, not the
    distance between them."""
    places = (f"(SELECT Z_PK, row_number() OVER (PARTITION BY Z{owner} ORDER BY Z_FOK_{owner}) AS place "
              f"FROM {{}}.{table})")
    return (f"order in {table}",
            f"SELECT count(*) FROM {places.format('old')} o LEFT JOIN {places.format('main')} n USING (Z_PK) "
            "WHERE o.place IS NOT n.place")


def nothing(about, query):
    """A custom query that must return 0."""
    return about, query


def judge(old, new, checks):
    problems = []
    database = sqlite3.connect(f"file:{new}?mode=ro", uri=True)
    for line, in database.execute("PRAGMA quick_check"):
        if line != "ok":
            problems.append(f"quick_check: {line}")
    database.execute("ATTACH ? AS old", [f"file:{old}?mode=ro"])
    for name, store in [("old_digest", old), ("new_digest", new)]:
        database.create_function(name, 1, lambda value, store=store: digest(store, value), deterministic=True)
    for about, query in checks:
        wrong, = database.execute(query).fetchone()
        if wrong != 0:
            problems.append(f"{about}: {wrong} rows are wrong or missing")
    database.close()
    return problems


def digest(store, value):
    """The digest of a value, which may be in a file of its own."""
    if value is None or value[:1] != b"\x02":
        return value
    name = value[1:].rstrip(b"\x00").decode()
    path = Path(store).parent / f".{Path(store).stem}_SUPPORT/_EXTERNAL_DATA/{name}"
    if not path.exists():
        return "missing"
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
