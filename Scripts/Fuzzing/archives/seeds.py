#!/usr/bin/env python3
"""Writes seeds: property lists, keyed archives, and the model caches of the corpus's stores if there is one.

usage: seeds.py FOLDER [CORPUS]
"""
import datetime, glob, os, plistlib, sqlite3, sys, zlib

folder = sys.argv[1]


def write(name, data):
    with open(os.path.join(folder, "seed-" + name), "wb") as file: file.write(data)


def archive(*objects): return {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": plistlib.UID(1)}, "$objects": ["$null", *objects]}


def named(name): return {"$classname": name, "$classes": [name, "NSObject"]}


everything = {
    "text": "e\u0301", "yes": True, "number": -1, "large": (1 << 64) - 1, "real": 0.1, "data": b"\x00\xff",
    "date": datetime.datetime(2024, 1, 2), "list": [1, [2, {}], ""],
}
lists = {
    "everything": everything,
    "version-info": {
        "NSManagedObjectModel_CurrentVersionName": "A", "NSManagedObjectModel_VersionChecksums": {"A": "x"},
        "NSManagedObjectModel_VersionHashes": {"A": {"Book": bytes(32)}},
    },
    "key-path": archive(
        {"$class": plistlib.UID(4), "NSExpressionType": 10, "NSKeyPath": plistlib.UID(2)}, "author.name", "unused",
        named("NSKeyPathSpecifierExpression")),
    "constant": archive(
        {"$class": plistlib.UID(3), "NSExpressionType": 0, "NSConstantValue": plistlib.UID(2)}, 1.5,
        named("NSConstantValueExpression")),
    "comparison": archive(
        {"$class": plistlib.UID(4), "NSLeftExpression": plistlib.UID(2), "NSRightExpression": plistlib.UID(2), "NSPredicateOperator": plistlib.UID(5)},
        {"$class": plistlib.UID(3), "NSExpressionType": 1}, named("NSSelfExpression"), named("NSComparisonPredicate"),
        {"$class": plistlib.UID(6), "NSOperatorType": 4, "NSModifier": 0, "NSOptions": 1}, named("NSEqualityPredicateOperator")),
}
for name, value in lists.items():
    write(name + ".plist", plistlib.dumps(value, fmt=plistlib.FMT_BINARY))
    # Python cannot write references as XML.
    if "$objects" not in value: write(name + ".xml", plistlib.dumps(value, fmt=plistlib.FMT_XML))
for corpus in sys.argv[2:]:
    for number, path in enumerate(sorted(glob.glob(os.path.join(corpus, "**/*.sqlite"), recursive=True))):
        try:
            database = sqlite3.connect(f"file:{os.path.abspath(path)}?mode=ro&immutable=1", uri=True)
            cache = database.execute("SELECT Z_CONTENT FROM Z_MODELCACHE").fetchone()[0]
            write(f"cache-{number}", cache)
            write(f"cached-{number}.mom", zlib.decompress(cache, -15))
        except sqlite3.Error: pass
        except TypeError: pass
