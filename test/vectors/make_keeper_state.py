#!/usr/bin/env python3
"""Makes keeper-state.json with nothing of Parley: what a state holds of relays' bonds, of directories and of suspended relays, block by block, from docs/protocol.md
and docs/network.md, with a CBOR writer and a state tree of its own.

    make_keeper_state.py    writes the file; the same bytes each time
"""
import hashlib, json, pathlib

HERE = pathlib.Path(__file__).parent
HOUR, DAY = 3600, 86400
START = 1_767_225_600  # 2026-01-01T00:00:00Z
VALIDATOR_BOND, UNIT, KEEPING, SUSPENDING = 1_000_000, 50_000, 5, 6


def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()


def cbor(v):
    def head(major, n):
        if n < 24: return bytes([major << 5 | n])
        for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
            if n < 1 << 8 * size: return bytes([major << 5 | code]) + n.to_bytes(size, "big")
    if v is None: return b"\xf6"
    if isinstance(v, int): return head(0, v)
    if isinstance(v, bytes): return head(2, len(v)) + v
    if isinstance(v, str): return head(3, len(v.encode())) + v.encode()
    return head(4, len(v)) + b"".join(map(cbor, v))


def subtree(leaves, depth=0):
    """`leaves`: [path as a text of bits, path, value]."""
    if not leaves: return bytes(32)
    if len(leaves) == 1: return sha(b"\0", leaves[0][1], sha(leaves[0][2]))
    return sha(b"\1", *(subtree([leaf for leaf in leaves if leaf[0][depth] == bit], depth + 1) for bit in "01"))


def box(key):
    """An X25519 key: its last bit is 0."""
    x = sha(b"x", key)
    return x[:31] + bytes([x[31] & 127])


class Chain:
    def __init__(self, keys, voters=()):
        self.keys, self.relays, self.beats, self.wallets, self.bonds = keys, {}, {}, {}, {}
        self.heads, self.mode, self.seeds, self.last_day = [None, None], [0, 0, 0], [], None
        self.records = {}
        self.voters, self.against = {keys[n] for n in voters}, {}

    def counting(self, key, time):
        """[suspended until, votes that count], at a time."""
        until, votes = self.against.get(key, (0, {}))
        return (until if until > time else 0, {voter: at for voter, at in votes.items() if at > time - 7 * DAY})

    def begin(self, version, time, parent):
        if version < KEEPING: return
        newest = max((h for h in self.heads if h), default=None, key=lambda h: h[0])
        if newest and newest[0] == time // HOUR: return
        if version >= SUSPENDING: self.against = {key: self.counting(key, time) for key in self.against}
        turn = 1 if newest and newest is self.heads[0] else 0
        if newest is None: self.mode, self.seeds, self.last_day = [0, 0, 0], [], None
        for key, b in self.bonds.items(): self.judge(key, b, time, parent)
        day = time // DAY
        while self.last_day is None or self.last_day < day:
            self.last_day = day - 59 if self.last_day is None else self.last_day + 1
            self.seeds = (self.seeds + [sha(parent, self.last_day.to_bytes(4, "big"))])[-60:]
        rows, networks, alone = [], set(), 0
        for key in sorted(self.bonds):
            b = self.bonds[key]
            if not b["salt"] or b["left"]: continue
            x, address = self.relays[key]
            wallet = self.wallets.get(key, key)
            rows.append([key, x, address, wallet, min(8, b["bond"] // UNIT), b["salt"]])
            mine = {self.network(address), wallet}
            if not networks & mine: alone += 1; networks |= mine
        self.mode = self.step(alone)
        parts = [cbor(rows[at:at + 64]) for at in range(0, len(rows), 64)]
        self.heads[turn] = (time // HOUR, turn)
        for key in [k for k in self.records if k[0] == turn]: del self.records[key]
        self.records[bytes([turn])] = cbor([time // HOUR, time, self.mode, len(rows), sha(*map(sha, parts)), [self.last_day, self.seeds]])
        for n, part in enumerate(parts): self.records[bytes([turn, n >> 8, n & 255])] = part

    def step(self, alone):
        kind, counted, low = self.mode
        low = low + 1 if kind and alone < 5 else 0
        if low == 6: return [0, 0, 0]
        if kind == 0:
            counted = counted + 1 if alone >= 8 else 0
            return [1, 24, 0] if counted == 24 else [0, counted, 0]
        if kind == 1: return [1, counted - 1, low] if counted > 1 else [2, 0, low]
        return [2, 0, low]

    @staticmethod
    def network(address): return ".".join(address.split("/")[2].split(".")[:3])

    def judge(self, key, b, time, parent):
        beats, last = self.beats.get(key, (0, 0))
        fits = b["bond"] >= UNIT and not self.relays[key][1].startswith("/ip4/10.") and self.relays[key][1] != ""
        quiet = time - last
        if self.counting(key, time)[0]: b.update(salt=None, left=0, count=None); return
        if b["salt"] and b["left"] and time - b["left"] > 30 * DAY: b.update(salt=None, left=0, count=None)
        if b["salt"] and not b["left"]:
            if not fits or quiet >= 12 * HOUR: b["left"] = time
        elif b["salt"]:
            if not fits or quiet >= HOUR: b["count"] = None
            elif b["count"] is None: b["count"] = [time, beats]
            elif time - b["count"][0] >= HOUR and beats - b["count"][1] >= 2: b.update(left=0, count=None)
        elif not fits: b["count"] = None
        elif b["count"] is None: b["count"] = [time, beats]
        elif time - b["count"][0] >= DAY:
            if beats - b["count"][1] >= 40 and quiet < 12 * HOUR: b.update(salt=sha(key, parent), count=None)
            else: b["count"] = [time, beats]

    def run(self, time, kind, key, argument=None, address=""):
        """The code of the receipt."""
        if kind == "beat":
            beats, last = self.beats.get(key, (0, 0))
            if beats == 0 or time >= last + 600: self.beats[key] = (beats + 1, time)
        elif kind == "bind": self.wallets[key] = argument
        elif kind == "accuse":
            if argument not in self.bonds: return "RELAY_NOT_BONDED"
            if address * 600 > time + HOUR or address * 600 <= time - 7 * DAY: return "RELAY_LIE_UNPROVEN"
            until, votes = self.counting(argument, time)
            if until: return "RELAY_SUSPENDED"
            if key in votes: return "SUSPENSION_VOTED"
            if key in self.voters:
                votes[key] = time
                enough = 3 * len(votes) > 2 * (len(self.voters) + 1)
                self.against[argument] = (time + 30 * DAY, {}) if enough else (0, votes)
        else:
            b = self.bonds.get(key, {"bond": 0, "back": 0, "at": 0, "salt": None, "left": 0, "count": None})
            held = b["bond"] + b["back"]
            if argument == 0 and b["back"]:
                if time < b["at"]: return "BOND_LOCKED"
                del self.bonds[key]
            elif argument == 0 and b["bond"]: self.bonds[key] = {**b, "bond": 0, "back": b["bond"], "at": time + 21 * DAY}
            elif argument:
                if argument * 20 < VALIDATOR_BOND: return "RELAY_BOND_SMALL"
                if argument < held: return "RELAY_BOND_REDUCED"
                self.bonds[key] = {**b, "bond": argument, "back": 0, "at": 0}
            self.relays[key] = (box(key), address)
        return ""

    def state(self):
        keeper = {key: cbor([b["bond"], b["back"], b["at"], b["salt"], b["left"], b["count"]]) for key, b in self.bonds.items()}
        if keeper: keeper[b"count"] = cbor([len(keeper)])
        against = {key: cbor([until, [[voter, votes[voter]] for voter in sorted(votes)]]) for key, (until, votes) in self.against.items() if until or votes}
        return {"keeper": keeper, "directory": dict(self.records), "suspension": against}


def story(name, people, blocks, begin=(), voters=()):
    """`blocks`: (version, time, [[kind, who, …]]); `begin`: who is a keeper already; `voters`: validators, beside one that never votes."""
    keys = [sha(b"%s %d" % (name.encode(), n)) for n in range(people)]
    chain, samples, shown = Chain(keys, voters), [], []
    for n in begin:
        chain.run(START, "register", keys[n], UNIT, "/ip4/81.9.%d.1/tcp/1" % n)
        chain.beats[keys[n]] = (50, START)
        chain.bonds[keys[n]]["salt"] = sha(b"salt", keys[n])
    seen = None
    for height, (version, time, events) in enumerate(blocks, 1):
        parent = sha(b"block before", name.encode(), height.to_bytes(4, "big"))
        chain.begin(version, time, parent)
        rows = []
        for kind, who, *rest in events:
            arguments = [keys[rest[0]], *rest[1:]] if kind in ("bind", "accuse") else rest
            rows.append([kind, who, *rest, chain.run(time, kind, keys[who], *arguments)])
        shown.append([version, time, rows])
        state = chain.state()
        if state == seen and height < len(blocks): continue
        seen = state
        paths = [(sha(space.encode(), b"\0", key), value) for space, records in state.items() for key, value in records.items()]
        root = subtree([("".join(f"{byte:08b}" for byte in path), path, value) for path, value in paths])
        samples.append([height, root.hex()])
    last = {space: {key.hex(): (value if len(value) < 200 else sha(value)).hex() for key, value in sorted(records.items())}
            for space, records in chain.state().items()}
    return {"name": name, "keys": [k.hex() for k in keys], "begin": list(begin), "voters": list(voters), "blocks": shown, "samples": samples, "last": last}


def bond(who, amount, address=None): return ["register", who, amount, address if address is not None else "/ip4/81.1.%d.9/tcp/1" % who]


def days():
    """Six relays over five days of blocks, and then weeks with few of them."""
    blocks = []
    for n in range(5 * 48):
        time, events = START + 60 + n * 1800 + n % 7, []
        if n == 0: events += [bond(0, UNIT), bond(1, 3 * UNIT), bond(2, UNIT, "/ip4/10.0.0.1/tcp/1"), bond(3, UNIT), bond(4, UNIT - 1), bond(5, 2 * UNIT)]
        if n == 1: events += [bond(4, UNIT), ["bind", 5, 0]]
        if n == 60: events += [bond(1, 2 * UNIT), bond(1, 9 * UNIT), bond(3, 0), bond(5, 0)]
        if n == 61: events += [bond(3, 0), bond(5, 2 * UNIT), bond(2, UNIT), bond(0, None, "/ip4/81.1.0.9/tcp/2")]
        if n == 150: events += [bond(5, 0)]
        if n == 190: events += [bond(5, 4 * UNIT)]
        away = {1: range(70, 100), 4: [k for k in range(240) if k % 3 == 0 and k < 100], 0: range(120, 143)}
        events += [["beat", who] for who in range(6) if n not in away.get(who, ()) and not (n < 2 and who == 4)]
        if n % 5 == 0: events.append(["beat", 0])
        blocks.append((5, time, events))
    end = blocks[-1][1]
    for days, events in ((1, []), (16, [bond(3, 0)]), (17.5, [bond(3, 0), bond(1, 0)]), (18, [bond(3, UNIT)]), (31, [["beat", 0], ["beat", 4]]), (31.2, [["beat", 0]]), (40, [bond(1, 0)])):
        blocks.append((5, end + int(days * DAY), events))
    return story("six relays", 6, blocks)


def later():
    blocks = [(4, START + 600, [["register", 0, None, "/ip4/81.1.0.9/tcp/1"], ["beat", 0]]), (4, START + 5000, []), (5, START + 5600, [bond(0, UNIT)]),
              (5, START + 5700, [["beat", 0]]), (5, START + 7300, []), (5, START + 7400, []), (5, START + 3 * DAY, []), (6, START + 3 * DAY + HOUR, [])]
    return story("a network that gets the rules", 1, blocks)


def parts():
    """Five of 67 leave and come back, twice an hour a block."""
    halves = {4: [bond(n, 0) for n in range(5)], 6: [["beat", n] for n in range(67)], 9: [bond(n, UNIT, "/ip4/81.9.%d.1/tcp/1" % n) for n in range(5)]}
    for half in range(10, 18): halves[half] = [["beat", n] for n in range(5)]
    return story("more keepers than a part has", 67, [(5, START + 10 + n * 1800, halves.get(n, [])) for n in range(20)], range(67))


def modes():
    """Nine keepers until mail goes to them, and their silence."""
    blocks = [(5, START + n * HOUR, [["beat", who] for who in range(9)] if n <= 50 and n % 6 == 0 else []) for n in range(1, 72)]
    return story("keepers take over and are gone", 9, blocks, range(9))


def liars():
    """Three keepers, three of four validators that vote, and a stranger: one keeper is suspended and returns, and votes about another one are forgotten."""
    def at(n): return START + 1800 * n
    def accuse(who, relay, n, versions=0): return ["accuse", who, relay, at(n) // 600 + versions]
    events = {
        4: [accuse(6, 0, 4), accuse(3, 0, 4), accuse(3, 0, 4, 1)],
        5: [accuse(4, 0, 5, -5), accuse(4, 1, 5), accuse(3, 1, 5), accuse(4, 1, 5)],
        6: [accuse(5, 0, 6, -1008), accuse(5, 0, 6, 7), accuse(5, 6, 6), accuse(5, 2, 6, 6), accuse(3, 2, 6, -1007)],
        7: [accuse(5, 0, 7), accuse(6, 0, 7), accuse(3, 0, 7)],
        48: [["register", 0, 0, "/ip4/81.9.0.1/tcp/1"]],
        50: [["register", 0, UNIT, "/ip4/81.9.0.1/tcp/1"]],
        5 + 7 * 48: [accuse(5, 1, 5 + 7 * 48)],
        6 + 7 * 48: [accuse(3, 1, 6 + 7 * 48)],
        7 + 30 * 48: [accuse(3, 0, 7 + 30 * 48)],
        8 + 30 * 48: [accuse(3, 0, 8 + 30 * 48)],
    }
    times = [n for n in range(1, 60)] + [n for n in range(60, 30 * 48) if n % 24 == 0 or n in events] + [n for n in range(30 * 48, 32 * 48)] + [38 * 48]
    beats = [["beat", relay] for relay in range(3)]
    return story("validators suspend a keeper", 7, [(6, at(n), events.get(n, []) + beats) for n in times], range(3), (3, 4, 5))


text = json.dumps({"stories": [days(), later(), parts(), modes(), liars()]}, ensure_ascii=False)
(HERE / "keeper-state.json").write_text(text + "\n", encoding="utf-8")
