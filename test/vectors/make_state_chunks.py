"""Writes state-chunks.json: chunks of the state tree, straight from the definition, with a CBOR writer of its own."""
import hashlib
import json
import os


def sha(*parts):
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.digest()


def cbor(value):
    def head(kind, count):
        if count < 24:
            return bytes([kind << 5 | count])
        for info, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
            if count < 1 << 8 * size:
                return bytes([kind << 5 | info]) + count.to_bytes(size, "big")

    if isinstance(value, int):
        return head(0, value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    return head(4, len(value)) + b"".join(cbor(item) for item in value)


def bits(path):
    return "".join(f"{byte:08b}" for byte in path)


def path_of(entry):
    return sha(entry[0].encode(), b"\0", entry[1])


def subtree(leaves, depth):
    if not leaves:
        return bytes(32)
    if len(leaves) == 1:
        return sha(b"\0", path_of(leaves[0]), sha(leaves[0][2]))
    halves = [[leaf for leaf in leaves if bits(path_of(leaf))[depth] == bit] for bit in "01"]
    return sha(b"\1", subtree(halves[0], depth + 1), subtree(halves[1], depth + 1))


def chunk(entries, prefix):
    leaves = sorted(entries, key=path_of)
    below = lambda start: [leaf for leaf in leaves if bits(path_of(leaf)).startswith(start)]
    depth = 0
    while depth < len(prefix) and len(below(prefix[:depth])) > 1:
        depth += 1
    siblings = []
    for level in range(depth, 0, -1):
        other = prefix[: level - 1] + ("1" if prefix[level - 1] == "0" else "0")
        siblings.append(subtree(below(other), level))
    return siblings, below(prefix[:depth])


def vector(name, count, prefix):
    entries = [("account", f"vector {n}".encode(), f"value {n}".encode()) for n in range(count)]
    siblings, leaves = chunk(entries, prefix)
    sent = [b"" if sibling == bytes(32) else sibling for sibling in siblings]
    response = cbor([1, "chunk", sent, [[NAMESPACE, leaf[1], leaf[2]] for leaf in leaves]])
    padded = prefix + "0" * (-len(prefix) % 8)
    return {
        "name": name,
        "entries": [{"namespace": entry[0], "key": entry[1].hex(), "value": entry[2].hex()} for entry in entries],
        "place": {"depth": len(prefix), "prefix": bytes(int(padded[at : at + 8], 2) for at in range(0, len(padded), 8)).hex()},
        "root": subtree(sorted(entries, key=path_of), 0).hex(),
        "response": response.hex(),
        "keys": [leaf[1].hex() for leaf in leaves if bits(path_of(leaf)).startswith(prefix)],
    }


NAMESPACE = "account"


def main():
    lone = bits(path_of(("account", b"vector 0", b"")))
    other = ("1" if lone[0] == "0" else "0") + lone[1:4]
    cases = [
        ("an empty state", 0, ""),
        ("an empty state below a place", 0, "0101"),
        ("one leaf is the whole tree", 1, ""),
        ("one leaf where the tree ends above its place", 1, lone[:9]),
        ("the leaf of another place where the tree ends", 1, other),
        ("the whole state", 12, ""),
        ("a half", 12, "1"),
        ("a place within a byte", 40, "010"),
        ("a place of more than a byte", 200, "011010010"),
        ("a place without leaves", 40, "11111111"),
    ]
    path = os.path.join(os.path.dirname(__file__), "state-chunks.json")
    with open(path, "w", encoding="utf8") as file:
        json.dump([vector(*case) for case in cases], file, indent=2)
        file.write("\n")


main()
