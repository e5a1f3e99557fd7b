"""Damaged object graphs: each is refused with its mistakes and leaves no files, or becomes a store that exports it."""
import glob, json, os, random, sqlite3
import bases, damage

ODD = [
    None, True, False, 0, -1, 1, 0.1, -0.0, 1e308, 1e-320, (1 << 63) - 1, 1 << 63, -(1 << 63), 1 << 200, "", "x", "\u0000",
    "e\u0301", "\u00e9", "\ufeff", "1", "1e400", "nan", "2024-02-30T00:00:00Z", "2024-01-01T00:00:00Z", "0.1", "9" * 60,
    "F0000000-0000-0000-0000-000000000000", "=", "AA==", "A", "//", "/etc/passwd", [], {}, [[]], {"any": True}, {"file": "x"},
    {"file": "/dev/zero"}, {"file": "../graph.json"}, ["item 1", "item 1"], "x" * 5000,
]


def samples():
    here = os.path.dirname(os.path.abspath(__file__))
    root = os.path.join(here, "../../..")
    own = bases.graph()
    for entity in own["objects"].values():
        for name in list(entity)[12:]: del entity[name]
        for value in entity.values(): value.pop("cover", None)
    known = {name for entity in own["objects"].values() for name in entity}
    for entity in own["objects"].values():
        for value in entity.values():
            if "tags" in value: value["tags"] = [name for name in value["tags"] if name in known]
            if value.get("previous") not in known: value.pop("previous", None)
    yield own, os.path.join(here, "Shelf.xcdatamodeld")
    for path in sorted(glob.glob(os.path.join(root, "Fixtures/Samples/*/graph-*.json"))):
        name = path.split(os.sep)[-2]
        with open(path) as file: yield json.load(file), os.path.join(root, f"MappingModels/{name}/{name}.xcdatamodeld")


def mutated(graph, chance):
    graph = json.loads(json.dumps(graph))
    for _ in range(chance.choice([1, 1, 2, 3])):
        places = damage.nodes(graph["objects"], []) if isinstance(graph.get("objects"), dict) else damage.nodes(graph, [])
        if not places: break
        (holder, key), (donor, donor_key) = chance.choice(places), chance.choice(places)
        how = chance.randrange(5)
        try:
            if how == 0: del holder[key]
            elif how in (1, 2): holder[key] = chance.choice(ODD)
            elif how == 3: holder[key] = json.loads(json.dumps(donor[donor_key]))
            elif isinstance(holder, dict): holder[chance.choice([str(donor_key), str(key) + "x", "", "//", "e\u0301", "\u00e9", "a\u0000"])] = holder.pop(key)
        except (KeyError, IndexError, TypeError): pass
    text = json.dumps(graph, ensure_ascii=chance.random() < 0.5, indent=chance.choice([None, 1]))
    if chance.random() < 0.25:
        place = chance.randrange(len(text))
        text = text[:place] + chance.choice(["", "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\ud83d\\ude00", "e", "-", "0", "\n", "\x01", "\ufeff", "[" * 3000]) + text[place + chance.randrange(3):]
    return text.encode("utf-8", "surrogatepass")


def attempt(tool, folder, number, seed, made, keep=None):
    chance = random.Random(f"{seed} graph {number}")
    graph, model = chance.choice(made)
    path, store, again = (os.path.join(folder, name) for name in ("graph.json", "graph.sqlite", "again.sqlite"))
    text = mutated(graph, chance)
    for name in os.listdir(folder): damage.remove(os.path.join(folder, name))
    with open(path, "wb") as file: file.write(text)
    if keep:
        with open(keep, "wb") as file: file.write(text)
    problems = []

    def use(*arguments, expected=(0,)):
        code, errors = tool.run(*arguments)
        if code not in expected: problems.append(f"{' '.join(arguments[:2])} ends with {code}: {errors[-400:]}")
        return code, errors

    code, errors = use("graph", "build", path, "-m", model, "-o", store, expected=(0, 1, 2))
    kind = errors.split("error[")[1].split("]")[0] if "error[" in errors else errors.strip()[:40]
    if code != 0:
        left = sorted(set(os.listdir(folder)) - {"graph.json"})
        if left: problems.append(f"a graph that is refused left {left}")
        return f"{code} {kind}", problems
    sound = damage.soundness(store, folder)
    if sound != "ok": problems.append(f"the store is damaged: {sound[:200]}")
    first, second = os.path.join(folder, "first.json"), os.path.join(folder, "second.json")
    if use("graph", "export", store, "-m", model, "-o", first)[0] == 0 and use("graph", "build", first, "-m", model, "-o", again)[0] == 0:
        use("graph", "export", again, "-m", model, "-o", second)
        if os.path.exists(second) and open(first, "rb").read() != open(second, "rb").read(): problems.append("the graph that was exported is another when it is built and exported again")
    return "0 built", problems
