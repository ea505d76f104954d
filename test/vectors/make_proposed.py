#!/usr/bin/env python3
"""Makes proposed.json with nothing of Parley: what a state holds of proposed blocks, with a CBOR writer and a state tree of its own.

    make_proposed.py    writes the file; the same bytes each time
"""
import hashlib, json, pathlib

HERE = pathlib.Path(__file__).parent
COUNTING = 4


def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()


def key_of(name, n): return sha(b"%s %d" % (name.encode(), n)).hex()


def number(n):
    """The CBOR of a list with one number."""
    if n < 24: return bytes([0x81, n])
    for size, code in ((1, 24), (2, 25), (4, 26)):
        if n < 256 ** size: return bytes([0x81, code]) + n.to_bytes(size, "big")


def bits(path): return "".join(f"{byte:08b}" for byte in path)


def subtree(leaves, depth=0):
    """`leaves`: [path, value]."""
    if not leaves: return bytes(32)
    if len(leaves) == 1: return sha(b"\0", leaves[0][0], sha(leaves[0][1]))
    return sha(b"\1", *(subtree([leaf for leaf in leaves if bits(leaf[0])[depth] == bit], depth + 1) for bit in "01"))


def story(name, versions, proposers, events=()):
    """Three validators. `versions`: of each block; `proposers`: number of each one's key; `events`: (height, what, key, other key)."""
    counts, since, samples = {}, None, []
    for height, (version, n) in enumerate(zip(versions, proposers, strict=True), 1):
        if version >= COUNTING:
            since = since or height
            counts[key_of(name, n)] = counts.get(key_of(name, n), 0) + 1
        records = {bytes.fromhex(key): number(blocks) for key, blocks in counts.items()}
        if since: records[b"since"] = number(since)
        root = subtree([[sha(b"proposed\0", key), value] for key, value in records.items()])
        samples.append({"height": height, "records": {key.hex(): records[key].hex() for key in sorted(records)}, "root": root.hex()})
    keys = [key_of(name, n) for n in range(6)]
    blocks = [[version, n] for version, n in zip(versions, proposers)]
    changes = [{"height": height, "kind": what, "key": keys[key], "other": keys[other]} for height, what, key, other in events]
    kept = [sample for sample in samples if sample["height"] % max(1, len(samples) // 12) == 0 or sample is samples[-1]]
    return {"name": name, "keys": keys, "blocks": blocks, "events": changes, "samples": kept}


stories = [
    story("a network that counts from its first block", [4] * 12, [0, 1, 2, 0, 0, 0, 1, 2, 2, 1, 0, 2]),
    story("a network that begins to count", [2, 2, 3, 3, 3, 4, 4, 4, 4], [0, 1, 2, 0, 1, 2, 2, 0, 2]),
    story("a network that does not count", [2, 2, 3, 3], [0, 1, 2, 0]),
    story("a later version", [4, 4, 5, 5], [0, 0, 0, 1]),
    story("numbers of more than one byte", [3] * 30 + [4] * 330, [1] * 30 + [0] * 300 + [1] * 30),
    story("a key that is replaced in its own block", [4] * 8, [0, 0, 3, 1, 3, 2, 3, 3], [(2, "rotate", 0, 3)]),
    story("keys that are replaced before and after counting begins", [3, 3, 4, 4, 4, 4], [0, 3, 3, 1, 1, 4], [(1, "rotate", 0, 3), (5, "rotate", 1, 4)]),
    story("a node that is bound to a wallet", [4] * 4, [0, 0, 0, 1], [(2, "bind", 0, 5)]),
]
text = json.dumps({"stories": stories}, ensure_ascii=False)
(HERE / "proposed.json").write_text(text + "\n", encoding="utf-8")
