"""Damage that gets past the first checks: it knows where SQLite and Core Data keep things."""
import os, plistlib, shutil, sqlite3, struct, zlib

NUMBERS = [0, 1, 2, -1, 3, 255, 256, 4095, 4096, 32767, 65535, 1 << 31, (1 << 31) - 1, 1 << 32, (1 << 53) + 1, (1 << 63) - 1, -(1 << 63)]


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path): shutil.rmtree(path)
    elif os.path.lexists(path): os.remove(path)


def copy(store, folder):
    """A copy that may be opened, without the leftovers of an earlier one."""
    target = os.path.join(folder, "copy.sqlite")
    for side in ("", "-wal", "-shm", "-journal"):
        remove(target + side)
        if side != "-shm" and os.path.exists(store + side): shutil.copyfile(store + side, target + side)
    return target


def soundness(store, folder):
    try:
        database = sqlite3.connect(copy(store, folder))
        database.text_factory = lambda data: data.decode("utf-8", "replace")
        try: return "; ".join(row[0] for row in database.execute("PRAGMA integrity_check(3)"))
        finally: database.close()
    except Exception as error:
        return f"cannot be opened: {error}"


def apply(store, target, chance):
    """Damages the store, or a file next to it; returns the kinds of damage."""
    if target == "wal":
        side = "-wal" if os.path.exists(store + "-wal") else "-journal"
        choices = [(wal if side == "-wal" else journal, store + side)] * 4 + [(page, store)]
    else:
        choices = [(page, store)] * 6 + [(raw, store)] + [(content, store)] * 7
    kinds = []
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        change, path = chance.choice(choices)
        kinds.append(change(path, chance) or "nothing")
    return kinds


def edit(path, change):
    with open(path, "rb") as file: data = bytearray(file.read())
    if not data: return "empty"
    kind = change(data)
    with open(path, "wb") as file: file.write(data)
    return kind


def flip(data, offset, chance):
    if not 0 <= offset < len(data): return
    how = chance.randrange(3)
    if how == 0: data[offset] ^= 1 << chance.randrange(8)
    elif how == 1: data[offset] = chance.choice([0, 1, 2, 5, 10, 13, 0x7F, 0x80, 0xFF])
    else: data[offset] = chance.randrange(256)


# MARK: Bytes


def raw(path, chance):
    def change(data):
        kind = chance.choice(["bit", "bits", "cut", "longer", "hole"])
        if kind == "bit": flip(data, chance.randrange(len(data)), chance)
        elif kind == "bits":
            for _ in range(chance.randrange(2, 100)): flip(data, chance.randrange(len(data)), chance)
        elif kind == "cut": del data[chance.randrange(len(data)):]
        elif kind == "longer": data.extend(chance.randbytes(chance.randrange(1, 9000)))
        else:
            start = chance.randrange(len(data))
            data[start:start + 4096] = bytes(len(data[start:start + 4096]))
        return kind
    return edit(path, change)


# MARK: Pages


def page_size(data):
    size = struct.unpack(">H", data[16:18])[0]
    size = 65536 if size == 1 else size
    return size if size >= 512 and size & (size - 1) == 0 else 4096


def page(path, chance):
    def change(data):
        size = page_size(data)
        if len(data) < size or chance.random() < 0.15:
            field = chance.choice([16, 18, 19, 20, 21, 22, 23, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 92, 96])
            offset = field + chance.randrange(4 if field >= 24 else 1)
            flip(data, offset, chance)
            return "header field"
        start = chance.randrange(len(data) // size) * size
        head = start + (100 if start == 0 else 0)
        count = struct.unpack(">H", data[head + 3:head + 5])[0]
        kind = data[head]
        if kind not in (2, 5, 10, 13):
            flip(data, start + chance.choice([0, 1, 2, 3, chance.randrange(size)]), chance)
            return "overflow or free page"
        cells = head + (12 if kind in (2, 5) else 8)
        # The count may be damaged, too.
        count = min(count, (start + size - cells) // 2, (len(data) - cells) // 2)
        what = chance.choice(["page header", "cell pointer", "cell", "cell", "cell", "whole page"])
        if what == "page header":
            flip(data, head + chance.randrange(12 if kind in (2, 5) else 8), chance)
        elif what == "cell pointer" and count > 0:
            offset = cells + 2 * chance.randrange(count)
            if chance.random() < 0.4:
                other = cells + 2 * chance.randrange(count)
                data[offset:offset + 2] = data[other:other + 2]
            else: flip(data, offset + chance.randrange(2), chance)
        elif what == "cell" and count > 0:
            offset = cells + 2 * chance.randrange(count)
            begin = start + struct.unpack(">H", data[offset:offset + 2])[0]
            # The lengths, the key and the header of the record come first: 2 to 30 bytes.
            flip(data, begin + min(chance.randrange(30), chance.randrange(60)), chance)
        else:
            other = chance.randrange(len(data) // size) * size
            if chance.random() < 0.5: data[start:start + size] = data[other:other + size]
            else: data[start:start + size] = bytes(size)
        return what
    return edit(path, change)


# MARK: Contents, through SQL: the file stays valid


def content(path, chance):
    try:
        database = sqlite3.connect(path, isolation_level=None)
        database.text_factory = bytes
        try:
            change = chance.choice([schema, schema, metadata, metadata, primary_key, primary_key, model_cache, cell, cell, cell, row])
            return change(database, chance)
        finally: database.close()
    except Exception as error:
        return "already too damaged"


def odd(chance):
    return chance.choice([
        lambda: chance.choice(NUMBERS), lambda: None, lambda: chance.choice([0.5, 1e300, -1e300, float("inf"), float("-inf")]),
        lambda: chance.choice(["", "x", "1", "1e5", "0x10", "e\u0301", "\u0000", "a\u0000b", "'", "\ufeff", "x" * 70000]),
        lambda: chance.choice([b"", b"\x01", b"\x02abc\x00", b"\x01" * 17, b"\xff" * 16, b"bplist00", chance.randbytes(40)]),
    ])()


def entity_tables(database):
    names = [row[0].decode() for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z*'")]
    return [name for name in names if name not in ("Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE")]


def schema(database, chance):
    database.execute("PRAGMA writable_schema = ON")
    rows = database.execute("SELECT rowid, type, name, tbl_name, rootpage, sql FROM sqlite_schema").fetchall()
    row, other = chance.choice(rows), chance.choice(rows)
    what = chance.choice(["sql", "sql", "sql", "rootpage", "name", "type", "tbl_name", "delete", "double"])
    if what == "sql":
        text = (row[5] or b"CREATE TABLE x (y)").decode("utf-8", "replace")
        how = chance.randrange(9)
        words = text.split(" ")
        place = chance.randrange(len(words))
        if how == 0: words[place] = chance.choice(["INTEGER", "TEXT", "BLOB", "REAL", "NUMERIC", "", "Z_PK", "COLLATE NOCASE", "GENERATED ALWAYS AS (1)", "CHECK (0)"])
        elif how == 1: del words[place]
        elif how == 2: words[place:place] = [words[chance.randrange(len(words))]]
        elif how == 3: words[place:] = []
        text = " ".join(words)
        if how == 4: text = text.replace(" PRIMARY KEY", "")
        elif how == 5: text += chance.choice([" WITHOUT ROWID", " STRICT", ";", " WHERE Z_PK > 3", " -- x"])
        elif how == 6: text = text.rstrip(")") + chance.choice([", ZNAME2 VARCHAR)", ", Z_PK INTEGER)", ", z_pk INTEGER)", ", UNIQUE (Z_ENT))", ", ZX AS (1))", ", ZX AS (Z_PK) STORED)"])
        elif how == 7: text = text.replace("ZNAME", chance.choice(["zname", "ZCOUNT", "\"\"", "ZNAME COLLATE NOCASE", "ZNAME\u0000"]), 1)
        elif how == 8 and len(text) > 2:
            place = chance.randrange(len(text))
            text = text[:place] + chance.choice("()\",;' \u00e90aZ_") + text[place + 1:]
        database.execute("UPDATE sqlite_schema SET sql = ? WHERE rowid = ?", (text, row[0]))
    elif what == "rootpage":
        database.execute("UPDATE sqlite_schema SET rootpage = ? WHERE rowid = ?", (chance.choice([other[4], 1, 0, 2, -1, 1 << 31, None, "x"]), row[0]))
    elif what == "delete": database.execute("DELETE FROM sqlite_schema WHERE rowid = ?", (row[0],))
    elif what == "double":
        database.execute("INSERT INTO sqlite_schema SELECT type, ?, tbl_name, rootpage, sql FROM sqlite_schema WHERE rowid = ?", (chance.choice([row[2], other[2], b"ZX"]).decode(), row[0]))
    else:
        value = other[{"name": 2, "type": 1, "tbl_name": 3}[what]] if chance.random() < 0.5 else odd(chance)
        database.execute(f"UPDATE sqlite_schema SET {what} = ? WHERE rowid = ?", (value.decode("utf-8", "replace") if isinstance(value, bytes) else value, row[0]))
    version = database.execute("PRAGMA schema_version").fetchone()[0]
    database.execute(f"PRAGMA schema_version = {(version + 1) % (1 << 31)}")
    return "schema " + what


def nodes(value, found):
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    for key, child in list(children):
        found.append((value, key))
        nodes(child, found)
    return found


def mutated_plist(value, chance):
    places = nodes(value, [])
    if not places: return value
    for _ in range(chance.choice([1, 1, 2, 4])):
        (holder, key), (donor, donor_key) = chance.choice(places), chance.choice(places)
        how = chance.randrange(5)
        try:
            if how == 0: del holder[key]
            elif how == 1: holder[key] = donor[donor_key] if donor[donor_key] is not holder else 0
            elif how == 2: holder[key] = chance.choice([0, 1, -1, True, "", "x", b"", b"x" * 32, [], {}, 1e300, (1 << 63) - 1, plistlib.UID(1), plistlib.UID(0)])
            elif isinstance(holder[key], bytes) and holder[key]:
                data = bytearray(holder[key])
                flip(data, chance.randrange(len(data)), chance)
                holder[key] = bytes(data)
            elif isinstance(holder[key], int): holder[key] = chance.choice(NUMBERS[:16])
            elif isinstance(holder[key], str): holder[key] = holder[key] + chance.choice(["x", "\u0301", "", "\u0000"])
            elif isinstance(holder[key], plistlib.UID): holder[key] = plistlib.UID(max(0, holder[key].data + chance.choice([-1, 1, 5])))
        except (KeyError, IndexError, TypeError): pass
    return value


def mutated_blob(blob, chance):
    if chance.random() < 0.8:
        try: return plistlib.dumps(mutated_plist(plistlib.loads(blob), chance), fmt=chance.choice([plistlib.FMT_BINARY] * 4 + [plistlib.FMT_XML]))
        except Exception: pass
    data = bytearray(blob)
    for _ in range(chance.choice([1, 1, 4])):
        if data: flip(data, chance.randrange(len(data)), chance)
    if chance.random() < 0.1: del data[chance.randrange(len(data) or 1):]
    return bytes(data)


def metadata(database, chance):
    what = chance.choice(["plist", "plist", "plist", "version", "uuid", "rows"])
    if what == "plist":
        blob = database.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0]
        database.execute("UPDATE Z_METADATA SET Z_PLIST = ?", (mutated_blob(blob, chance),))
    elif what == "rows": database.execute(chance.choice(["DELETE FROM Z_METADATA", "INSERT INTO Z_METADATA SELECT Z_VERSION + 1, Z_UUID, Z_PLIST FROM Z_METADATA", "UPDATE Z_METADATA SET Z_PLIST = NULL"]))
    else: database.execute(f"UPDATE Z_METADATA SET {'Z_VERSION' if what == 'version' else 'Z_UUID'} = ?", (odd(chance),))
    return "metadata " + what


def primary_key(database, chance):
    what = chance.choice(["Z_ENT", "Z_NAME", "Z_SUPER", "Z_SUPER", "Z_MAX", "Z_MAX", "swap", "delete", "double"])
    numbers = [row[0] for row in database.execute("SELECT rowid FROM Z_PRIMARYKEY")]
    one, other = chance.choice(numbers), chance.choice(numbers)
    if what == "swap":
        column = chance.choice(["Z_NAME", "Z_SUPER", "Z_MAX"])
        values = [database.execute(f"SELECT {column} FROM Z_PRIMARYKEY WHERE rowid = ?", (number,)).fetchone()[0] for number in (other, one)]
        for number, value in zip((one, other), values):
            database.execute(f"UPDATE Z_PRIMARYKEY SET {column} = ? WHERE rowid = ?", (value.decode() if isinstance(value, bytes) else value, number))
    elif what == "delete": database.execute("DELETE FROM Z_PRIMARYKEY WHERE rowid = ?", (one,))
    elif what == "double": database.execute("INSERT INTO Z_PRIMARYKEY SELECT Z_ENT + ?, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE rowid = ?", (chance.choice([1, 7, 16000]), one))
    else: database.execute(f"UPDATE Z_PRIMARYKEY SET {what} = ? WHERE rowid = ?", (chance.choice([other, odd(chance), odd(chance)]), one))
    return "primary keys " + what


def model_cache(database, chance):
    found = database.execute("SELECT Z_CONTENT FROM Z_MODELCACHE").fetchone()
    if not found: return metadata(database, chance)
    blob = found[0]
    try: blob = mutated_blob(zlib.decompress(blob, -15), chance)
    except Exception: return "model cache unreadable"
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(blob) + packer.flush()
    if chance.random() < 0.1: packed = mutated_blob(packed, chance)
    database.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", (packed,))
    # Without hashes that fit a model, the store's own model decides.
    if chance.random() < 0.5:
        plist = plistlib.loads(database.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0])
        for name in plist.get("NSStoreModelVersionHashes", {}): plist["NSStoreModelVersionHashes"][name] = chance.randbytes(32)
        database.execute("UPDATE Z_METADATA SET Z_PLIST = ?", (plistlib.dumps(plist, fmt=plistlib.FMT_BINARY),))
    return "model cache"


def cell(database, chance):
    """Replaces a value of a row with one that Core Data would not write."""
    table = chance.choice(entity_tables(database))
    names = [row[1].decode() for row in database.execute(f'PRAGMA table_info("{table}")')]
    name = chance.choice(names)
    numbers = [row[0] for row in database.execute(f'SELECT rowid FROM "{table}" LIMIT 500')]
    if not numbers: return "empty table"
    value = odd(chance)
    if chance.random() < 0.4:
        value = database.execute(f'SELECT "{chance.choice(names)}" FROM "{table}" WHERE rowid = ?', (chance.choice(numbers),)).fetchone()[0]
    database.execute(f'UPDATE OR REPLACE "{table}" SET "{name}" = ? WHERE rowid = ?', (value, chance.choice(numbers)))
    return "value of " + (name if name.startswith("Z_") and not name[2].isdigit() else "a property")


def row(database, chance):
    table = chance.choice(entity_tables(database))
    numbers = [found[0] for found in database.execute(f'SELECT rowid FROM "{table}" LIMIT 500')]
    what = chance.choice(["delete", "delete all", "drop", "column"])
    if what == "delete" and numbers: database.execute(f'DELETE FROM "{table}" WHERE rowid = ?', (chance.choice(numbers),))
    elif what == "delete all": database.execute(f'DELETE FROM "{table}"')
    elif what == "drop": database.execute(f'DROP TABLE "{table}"')
    else:
        names = [found[1].decode() for found in database.execute(f'PRAGMA table_info("{table}")')]
        database.execute(f'ALTER TABLE "{table}" RENAME COLUMN "{chance.choice(names)}" TO "{chance.choice(["ZX", "x y", "Z_", "Ü"])}"')
    return "row or table " + what


# MARK: Logs and journals


def checksum(data, first, second, order):
    for one, two in struct.iter_unpack(order + "II", data):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + two + first) & 0xFFFFFFFF
    return first, second


def resealed(data):
    """The log with correct checksums, so that its frames are valid."""
    if len(data) < 32: return
    order = ">" if data[3] & 1 else "<"
    size = struct.unpack(">I", data[8:12])[0]
    if not 512 <= size <= 65536 or size & (size - 1): return
    one, two = checksum(data[:24], 0, 0, order)
    data[24:32] = struct.pack(">II", one, two)
    for start in range(32, len(data) - 24 - size + 1, 24 + size):
        data[start + 8:start + 16] = data[16:24]
        one, two = checksum(data[start:start + 8], one, two, order)
        one, two = checksum(data[start + 24:start + 24 + size], one, two, order)
        data[start + 16:start + 24] = struct.pack(">II", one, two)


def wal(path, chance):
    def change(data):
        size = struct.unpack(">I", data[8:12])[0] if len(data) >= 32 else 4096
        frames = max(1, (len(data) - 32) // (24 + size)) if 512 <= size <= 65536 else 1
        start = 32 + chance.randrange(frames) * (24 + size)
        kind = chance.choice(["log header", "frame header", "frame header", "frame", "frame", "cut", "frames swapped", "log bytes"])
        if kind == "log header": flip(data, chance.randrange(32), chance)
        elif kind == "frame header": flip(data, start + chance.randrange(8), chance)
        elif kind == "frame": flip(data, start + 24 + chance.choice([chance.randrange(12), chance.randrange(200), chance.randrange(size)]), chance)
        elif kind == "cut": del data[chance.randrange(len(data)):]
        elif kind == "frames swapped":
            other = 32 + chance.randrange(frames) * (24 + size)
            data[start + 24:start + 24 + size] = data[other + 24:other + 24 + size]
        else: flip(data, chance.randrange(len(data)), chance)
        if chance.random() < 0.6:
            resealed(data)
            kind += ", sealed"
        return kind
    return edit(path, change)


def journal(path, chance):
    def change(data):
        kind = chance.choice(["journal header", "journal header", "record", "record number", "cut", "journal bytes"])
        sector = struct.unpack(">I", data[20:24])[0] if len(data) >= 28 else 512
        size = struct.unpack(">I", data[24:28])[0] if len(data) >= 28 else 4096
        if not 512 <= size <= 65536 or not 32 <= sector <= 65536: sector, size = 512, 4096
        records = max(1, (len(data) - sector) // (size + 8))
        start = sector + chance.randrange(records) * (size + 8)
        if kind == "journal header": flip(data, chance.choice([chance.randrange(8), 8 + chance.randrange(20)]), chance)
        elif kind == "record number": flip(data, start + chance.randrange(4), chance)
        elif kind == "record": flip(data, start + 4 + chance.randrange(size + 4), chance)
        elif kind == "cut": del data[chance.randrange(len(data)):]
        else: flip(data, chance.randrange(len(data)), chance)
        # Every 200th byte is in a record's checksum.
        if kind.startswith("record") and start + 8 + size <= len(data):
            total = struct.unpack(">I", data[12:16])[0] + sum(data[start + 4 + offset] for offset in range(size - 200, 0, -200))
            data[start + 4 + size:start + 8 + size] = struct.pack(">I", total & 0xFFFFFFFF)
            kind += ", sealed"
        return kind
    return edit(path, change)
