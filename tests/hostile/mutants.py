"""mutants.py -- scenes with one error: for each key of the schema, a scene that has it, and mutations that break it.

What JSON cannot say (.nan, a key twice, bytes that are not UTF-8) goes through marks, which text_of replaces in
the text.
"""
import copy
import json

from schema import parts, sample

RAW = {  # YAML in place of a value
    "nan": b".nan", "infinity": b".inf", "minus infinity": b"-.inf", "overflow": b"1e999", "underflow": b"1e-999",
    "hexadecimal": b"0x10", "underscore": b"1_000", "comma": b"1,5", "tag": b"!!float 3",
    "binary": b"!!binary aGVsbG8=", "anchor": b"&a 3", "alias": b"*unknown", "ring": b"&r [*r]",
    "merge": b"{<<: {a: 1}}", "open bracket": b"[1, 2", "open brace": b"{a: 1", "open quote": b'"abc', "tab": b"\t3",
    "not utf-8": b'"\xff\xfe"', "zero byte": b'"a\x00b"', "control": b'"\\u0001\\u001b[31m"', "block": b"|\n  text\n",
    "yes": b"yes", "date": b"2020-01-01", "octal": b"010", "null": b"~", "nothing": b"",
    "two documents": b"1\n--- \n2", "comment": b"# 3", "deep list": b"[" * 300 + b"]" * 300,
    "deep mapping": b"{a: " * 300 + b"1" + b"}" * 300, "very deep": b"[" * 20000,
    "binary bytes": bytes(range(128, 160)), "directive": b"%YAML 9.9", "long number": b"1" * 5000,
    "long fraction": b"0." + b"3" * 5000, "surrogate": b'"\\uD800"', "byte order mark": b'"\xef\xbb\xbf1"',
    "right to left": '"\u202egnissap"'.encode(),
}
VALUES = {
    "zero": 0, "minus zero": -0.0, "minus one": -1, "half": 0.5, "tiny": 1e-300, "small": 1e-9, "large": 1e6,
    "huge": 1e30, "greatest": 1.7e308, "2^31": 2**31, "2^32": 2**32, "2^63": 2**63, "-2^63": -2**63, "true": True,
    "text": "water", "empty text": "", "empty list": [], "empty mapping": {}, "list": [1, 2, 3], "two": [1, 2],
    "nine": [1] * 9, "list of text": ["a", "b"], "mapping": {"a": 1}, "unicode": "Wässerchen 水 \U0001f4a7",
    "path": "../../../../etc/passwd", "folder": ".", "slash": "a/b", "dot": "a.b", "format": "%s%n%d",
    "long text": "x" * 70000, "newline": "a\nb", "keyframes": {"0": 1, "1": 2}, "keyframes back": {"1": 1, "0": 2},
    "keyframes same": {"0": 1, "0.0": 2}, "keyframes nan": {"nan": 1},
    "keyframes of lists": {"0": [0, 0, 0], "0.01": [1, 1, 1]}, "many": list(range(3000)),
    "many keyframes": {str(k): k for k in range(3000)}, "list of mappings": [{}, {}], "nested": [[[1]]],
    "shape": {"sphere": {"radius": 0.1}}, "shapes": [{"sphere": {"radius": 0.1}}] * 300,
}


def hold(root, scene, path, holders, rng):
    """Gives the scene the mapping that the last name of the path is a key of; returns that mapping."""
    at = scene
    for k, name in enumerate(path[:-1]):
        inner = path[k + 1]
        if name == "[]":
            if not at:
                at.append({})
            at = rng.choice(at)
            continue
        if inner == "[]":
            if not isinstance(at.get(name), list) or not all(isinstance(e, dict) for e in at[name]):
                at[name] = []
        else:
            schema = holders[k + 1]
            if (not isinstance(at.get(name), dict) or not set(at[name]) <= set(schema["properties"])
                    or schema.get("maxProperties") == 1):
                at[name] = {}
            fill(root, schema, at[name], inner, rng)
        at = at[name]
        if isinstance(at, list):
            schema = holders[k + 2]
            entry = rng.choice(at) if at else None
            if entry is None or not set(entry) <= set(schema["properties"]) or schema.get("maxProperties") == 1:
                entry = {}
                at[:] = [entry] if schema.get("maxProperties") == 1 else at + [entry]
            fill(root, schema, entry, path[k + 2], rng)
            at[:] = [entry] + [e for e in at if e is not entry]
    return at


def fill(root, schema, mapping, wanted, rng):
    for name in schema.get("required", ()):
        if name not in mapping and name != wanted:
            mapping[name] = sample(root, schema["properties"][name], rng, 3)


def present(root, scene):
    """Keys that the scene has, with their holders: (mapping, name, schema of the value)."""
    found = []

    def walk(node, value):
        for part in parts(root, node):
            if isinstance(value, dict) and set(value) <= set(part.get("properties", {})):
                for name, below in value.items():
                    found.append((value, name, part["properties"][name]))
                    walk(part["properties"][name], below)
            elif isinstance(value, list) and isinstance(part.get("items"), dict):
                for entry in value:
                    walk(part["items"], entry)

    walk(root, scene)
    return found


def misspelt(name, rng):
    k = rng.randrange(len(name))
    return rng.choice((name[:k] + name[k + 1:], name[:k] + name[k] + name[k:], name[:k] + "q" + name[k + 1:],
                       name.upper(), name + " ",
                       name[::-1], name + "\u0301"))


def mutate(root, scene, path, holders, rng):
    """A broken copy of the scene, and a word on what was done. A mutation may be harmless: then the scene is right."""
    scene = copy.deepcopy(scene)
    if rng.random() < 0.5:
        holder, name, schema = rng.choice(present(root, scene))
        path = ("...", name)
    else:
        holder, name, schema = hold(root, scene, path, holders, rng), path[-1], holders[-1]["properties"][path[-1]]
        if name not in holder:
            holder[name] = sample(root, schema, rng, 2)
    kind = rng.random()
    if kind < 0.25:
        what = rng.choice(sorted(RAW))
        holder[name] = "@@%s@@" % what
    elif kind < 0.55:
        what = rng.choice(sorted(VALUES))
        holder[name] = copy.deepcopy(VALUES[what])
    else:
        what = rng.choice(("missing", "misspelt", "twice", "inner", "listed", "doubled", "number as key")
                          + ("sampled", "beyond", "factor") * 4)
        other_ways(root, holder, name, schema, what, rng)
    return scene, "%s: %s" % (".".join(path).replace(".[]", "[]"), what)


def other_ways(root, holder, name, schema, what, rng):
    if what == "missing":
        del holder[name]
    elif what == "misspelt":
        holder[misspelt(name, rng)] = holder.pop(name)
    elif what == "twice":
        holder["@@again@@" + name] = copy.deepcopy(holder[name])
    elif what == "sampled":
        holder[name] = sample(root, schema, rng)
    elif what == "beyond":
        numeric = [p for p in parts(root, schema) if p.get("type") in ("number", "integer")]
        bound = rng.choice([p[k] for p in numeric for k in ("minimum", "maximum") if k in p] or [0])
        holder[name] = rng.choice((bound, bound * 1.0000001, bound - 1e-12, bound + 1, -bound))
    elif what == "factor":
        holder[name] = times(holder[name], rng)
    elif what == "inner" and isinstance(holder[name], list) and holder[name]:
        holder[name][rng.randrange(len(holder[name]))] = rng.choice(("@@nan@@", None, "a", -1, 1e30, [], {}))
    elif what == "listed":
        holder[name] = [holder[name]]
    elif what == "doubled" and isinstance(holder[name], list):
        holder[name] = holder[name] * 2
    elif what == "number as key":
        holder["7"] = holder.pop(name)


def times(value, rng):
    """The value with its numbers made larger or smaller by a lot, or their signs turned."""
    if isinstance(value, list):
        return [times(v, rng) if rng.random() < 0.6 else v for v in value]
    if isinstance(value, dict):
        return {k: times(v, rng) if rng.random() < 0.6 else v for k, v in value.items()}
    if isinstance(value, bool):
        return not value
    if isinstance(value, int) and rng.random() < 0.7:
        return value * rng.choice((-1, 0, 2, 3, 10, 100, 1000000))
    if isinstance(value, (int, float)):
        return value * rng.choice((-1, 0, 0.1, 0.5, 2, 3, 10, 100, 1e-6, 1e6, 1e-15, 1e15))
    return value


def text_of(scene):
    text = json.dumps(scene, indent=1, ensure_ascii=False).encode("utf-8", "surrogatepass").replace(b"@@again@@", b"")
    for what, raw in RAW.items():
        text = text.replace(b'"@@%s@@"' % what.encode(), raw)
    return text + b"\n"
