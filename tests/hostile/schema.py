"""schema.py -- docs/scene.schema.json: every key that it names, values that it allows, whether it allows a value."""
import json
import re


# Numbers with units and arithmetic, good and bad.
QUANTITIES = ("2 mm", "0.5 * 0.02", "2*pi/60", "72.8 mN/m", "60 deg", "1 ms", "1 g/cm3", "20 cSt", "(1 + 2)^2", "3 m/s",
              "1/0", "2*(3", "-(((1)))", "sqrt(4)/100", "1e300*1e300", "5 1/s", "2 mmm", "1^-9", "--1", "0.1 %",
              "3 m^9/m^8", "2 pi", "1 ()", "4 m/(s", "50 um")


def load(path):
    with open(path) as file:
        return json.load(file)


def parts(root, node):
    """The alternatives of a node, with references and allOf of one resolved."""
    while "$ref" in node or len(node.get("allOf", ())) == 1:
        node = root["definitions"][node["$ref"].rsplit("/", 1)[1]] if "$ref" in node else node["allOf"][0]
    if "anyOf" in node:
        return [part for choice in node["anyOf"] for part in parts(root, choice)]
    return [node]


def keys_of(root):
    """Every path to a key: a list of (path, mappings). A path is a tuple of names, with "[]" for the entry of a list;
    mappings[k] is the schema of the mapping that path[k] is a key of (None for "[]")."""
    found = []

    def walk(node, path, holders):
        for part in parts(root, node):
            for name, below in part.get("properties", {}).items():
                if (path + (name,), id(part)) in seen:
                    continue
                seen.add((path + (name,), id(part)))
                found.append((path + (name,), holders + (part,)))
                walk(below, path + (name,), holders + (part,))
            if isinstance(part.get("items"), dict):
                walk(part["items"], path + ("[]",), holders + (None,))

    seen = set()
    walk(root, (), ())
    return found


def number(rng, part):
    low, high = part.get("minimum", -1e6), part.get("maximum", 1e6)
    kind = rng.random()
    if kind < 0.1:
        value = low
    elif kind < 0.2:
        value = high
    elif low >= 0:
        value = max(low, min(high, 10 ** rng.uniform(-4, 2)))
    else:
        value = max(low, min(high, rng.gauss(0, 1)))
    if part["type"] == "integer":
        return int(max(low, min(high, round(value))))
    return float("%.6g" % value) if value not in (low, high) else value


def sample(root, node, rng, depth=0):
    """A random value that the schema allows; of mappings the required keys and a few others."""
    choices = parts(root, node)
    plain = [p for p in choices if "pattern" not in p]
    part = rng.choice(plain if plain and rng.random() < 0.9 else choices)
    if "const" in part:
        return part["const"]
    if "enum" in part:
        return rng.choice(part["enum"])
    kind = part.get("type")
    if kind in ("number", "integer"):
        return number(rng, part)
    if kind == "boolean":
        return rng.random() < 0.5
    if kind == "array":
        count = part.get("minItems", 0)
        if "maxItems" not in part or part["maxItems"] > count:
            count = max(count, rng.choice((0, 1, 1, 2)))
        return [sample(root, part["items"], rng, depth + 1) for _ in range(count)]
    if kind == "object" and "patternProperties" in part:
        (inner,) = part["patternProperties"].values()
        times = sorted({round(rng.uniform(0, 0.1), 3) for _ in range(rng.choice((1, 2, 3)))})
        return {"%g" % t: sample(root, inner, rng, depth + 1) for t in times}
    if kind == "object":
        names = list(part.get("properties", {}))
        if part.get("maxProperties") == 1:
            chosen = [rng.choice(names)]
        else:
            chosen = [n for n in names if n in part.get("required", ()) or rng.random() < 0.3 / (1 + depth)]
        return {n: sample(root, part["properties"][n], rng, depth + 1) for n in chosen}
    if "pattern" in part:
        return rng.choice(QUANTITIES)
    return rng.choice(("water", "a", "", "é", "body1"))


def fits(root, node, value):
    """Does the schema allow the value?"""
    if "$ref" in node and not fits(root, root["definitions"][node["$ref"].rsplit("/", 1)[1]], value):
        return False
    if not all(fits(root, n, value) for n in node.get("allOf", ())):
        return False
    if "anyOf" in node and not any(fits(root, n, value) for n in node["anyOf"]):
        return False
    if "const" in node and value != node["const"]:
        return False
    if "enum" in node and not (isinstance(value, str) and value in node["enum"]):
        return False
    return fits_kind(root, node, value)


def fits_kind(root, node, value):
    kind = node.get("type")
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind in ("number", "integer"):
        whole = kind == "number" or (is_number and value == int(value))
        return is_number and whole and node.get("minimum", value) <= value <= node.get("maximum", value)
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "string" and "pattern" in node:
        return isinstance(value, str) and re.search(node["pattern"], value) is not None
    if kind == "string":
        if is_number or isinstance(value, bool):
            return True  # YAML: any word is a text where a text is due
        return isinstance(value, str) and node.get("minLength", 0) <= len(value) <= node.get("maxLength", len(value))
    if kind == "array":
        if not isinstance(value, list) or not node.get("minItems", 0) <= len(value) <= node.get("maxItems", len(value)):
            return False
        return all(fits(root, node["items"], v) for v in value)
    if kind == "object":
        most = node.get("maxProperties", len(value)) if isinstance(value, dict) else 0
        if not isinstance(value, dict) or not node.get("minProperties", 0) <= len(value) <= most:
            return False
        if any(name not in value for name in node.get("required", ())):
            return False
        for name, below in value.items():
            patterns = [p for p in node.get("patternProperties", {}) if re.search(p, name)]
            if name in node.get("properties", {}):
                if not fits(root, node["properties"][name], below):
                    return False
            elif patterns:
                if not all(fits(root, node["patternProperties"][p], below) for p in patterns):
                    return False
            elif node.get("additionalProperties") is False:
                return False
    return True
