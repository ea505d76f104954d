#!/usr/bin/env python3
"""Makes downtime.json with nothing of Parley: who is set aside for missing commits, in words of its own.

    make_downtime.py    writes the file; the same bytes each time
"""
import hashlib, json, pathlib

HERE = pathlib.Path(__file__).parent
WINDOW, ENOUGH, LEAST = 1_000, 950, 4


def key_of(name, n): return hashlib.sha256(b"%s %d" % (name.encode(), n)).hexdigest()


def cbor(n, major):
    if n < 24: return bytes([major << 5 | n])
    for size, code in ((1, 24), (2, 25), (4, 26), (8, 27)):
        if n < 256 ** size: return bytes([major << 5 | code]) + n.to_bytes(size, "big")


def record(counts):
    """A list of [key, commits], by ascending keys; nothing when it is empty."""
    if not counts: return None
    parts = [cbor(2, 4) + cbor(32, 2) + bytes.fromhex(key) + cbor(missed, 0) for key, missed in sorted(counts.items())]
    return (cbor(len(parts), 4) + b"".join(parts)).hex()


def story(name, size, heights, away, events):
    """`away`: (validator, first, last) of commits that lack it; `events`: (height, what, validator[, new key's number])."""
    keys = {n: key_of(name, n) for n in range(size)}          # number of a validator -> its key now
    owner = {key: n for n, key in keys.items()}               # any key -> number of its validator
    members, counts, aside, samples = set(keys.values()), {}, {}, []
    voters = {1: set(members)}
    for height in range(1, heights + 1):
        if height > 1:
            absent = {n for n, first, last in away if first <= height - 1 <= last}
            for key in voters[height - 1]:
                now = keys[owner[key]]
                if owner[key] in absent and now in members: counts[now] = counts.get(now, 0) + 1
            counts = {key: missed for key, missed in counts.items() if key in members}
        if height % WINDOW == 0:
            gone = sorted((key for key in counts if counts[key] >= ENOUGH), key=lambda key: (-counts[key], key))
            for key in gone[:max(0, min(len(members) // 3, len(members) - LEAST))]:
                members.remove(key)
                aside[key] = height
            counts = {}
        happens = [event for event in events if event[0] == height]
        for _, what, n, *new in happens:
            if what == "leave": members.remove(keys[n])
            if what == "return": members.add(keys[n]), aside.pop(keys[n])
            if what == "rotate":
                old, keys[n] = keys[n], key_of(name, new[0])
                owner[keys[n]] = n
                members.remove(old), members.add(keys[n])
                if old in counts: counts[keys[n]] = counts.pop(old)
        voters[height + 1] = set(members)
        if happens or height % 250 in (0, 249) or height == 2:
            samples.append({"height": height, "counts": record(counts), "members": sorted(members), "aside": aside.copy()})
    changes = [{"height": height, "kind": what, "key": key_before(name, events, n, height), **({"to": key_of(name, new[0])} if new else {})}
            for height, what, n, *new in events]
    lists = [{"validator": [key_of(name, n)] + [key_of(name, e[3]) for e in events if e[1] == "rotate" and e[2] == n],
              "first": first, "last": last} for n, first, last in away]
    return {"name": name, "validators": sorted(key_of(name, n) for n in range(size)), "heights": heights,
            "away": lists, "events": changes, "samples": samples}


def key_before(name, events, n, height):
    rotations = [event for event in events if event[1] == "rotate" and event[2] == n and event[0] < height]
    return key_of(name, rotations[-1][3] if rotations else n)


stories = [
    story("seven, of whom three are away and two may be set aside", 7, 1_000, [(1, 1, 999), (2, 20, 999), (3, 10, 980)], []),
    story("one commit too few", 6, 1_001, [(0, 1, 949), (1, 50, 998), (2, 50, 999)], []),
    story("four, none of whom may be set aside", 4, 1_000, [(0, 1, 1_000)], []),
    story("five, one of whom may be", 5, 1_000, [(0, 1, 1_000), (1, 2, 1_000)], []),
    story("a new key does not hide who is away", 6, 2_000, [(0, 1, 2_000), (1, 1_001, 2_000)], [(500, "rotate", 0, 100), (1_499, "rotate", 1, 101)]),
    story("a new key in the thousandth block", 6, 2_000, [(0, 1_000, 2_000)], [(1_000, "rotate", 0, 100)]),
    story("back by itself, and away again", 7, 3_000, [(0, 1, 3_000), (1, 1_000, 1_948)], [(1_500, "return", 0)]),
    story("who leaves is forgotten", 6, 1_000, [(0, 1, 1_000), (1, 1, 1_000)], [(400, "leave", 0)]),
    story("back within fifty blocks", 8, 2_000, [(0, 1, 2_000)], [(1_049, "return", 0)]),
    story("back a block too late to be counted often enough", 8, 2_000, [(0, 1, 2_000)], [(1_050, "return", 0)]),
]
text = json.dumps({"stories": stories}, ensure_ascii=False)
(HERE / "downtime.json").write_text(text + "\n", encoding="utf-8")
