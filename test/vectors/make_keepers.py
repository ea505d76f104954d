#!/usr/bin/env python3
"""Makes keepers.json with nothing of Parley: who keeps mail, in words of its own, from docs/network.md and Python's hashes and ipaddress.

    make_keepers.py    writes the file; the same bytes each time
"""
import hashlib, ipaddress, json, pathlib, random

HERE = pathlib.Path(__file__).parent
HOUR, DAY = 3600, 86400
SUM = 1 << 256


def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()


# --- networks

CLOSED = [ipaddress.ip_network(n) for n in (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
    "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
    "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")]


def network(multiaddr):
    parts = multiaddr.split("/")
    if "p2p-circuit" in parts or len(parts) < 3: return None
    kind, host = parts[1], parts[2]
    if kind in ("ip4", "ip6"):
        try: ip = (ipaddress.IPv4Address if kind == "ip4" else ipaddress.IPv6Address)(host)
        except ValueError: return None
        if any(ip in n for n in CLOSED if n.version == ip.version): return None
        if kind == "ip4": return "4 " + ".".join(str(b) for b in ip.packed[:3])
        if ip not in ipaddress.ip_network("2000::/3"): return None
        return "6 " + ":".join("%x" % int.from_bytes(ip.packed[at:at + 2], "big") for at in (0, 2, 4))
    if kind in ("dns", "dns4", "dns6"):
        labels = host.lower().split(".")
        good = "abcdefghijklmnopqrstuvwxyz0123456789-"
        if not host.isascii() or len(labels) < 2 or len(host) > 253 or labels[-1].isdigit(): return None
        if any(not 0 < len(l) <= 63 or l.strip(good) or l[0] == "-" or l[-1] == "-" for l in labels): return None
        if any(c not in good for l in labels for c in l): return None
        return "dns " + ".".join(labels[-2:])
    return None


ADDRESSES = [
    "/ip4/81.2.69.142/tcp/4001", "/ip4/81.2.69.255/udp/1/quic-v1", "/ip4/81.2.70.1/tcp/4001", "/ip4/10.1.2.3/tcp/1", "/ip4/172.15.0.1/tcp/1",
    "/ip4/172.16.0.1/tcp/1", "/ip4/172.31.0.1/tcp/1", "/ip4/172.32.0.1/tcp/1", "/ip4/100.63.255.255/tcp/1", "/ip4/100.64.0.1/tcp/1", "/ip4/100.128.0.1/tcp/1",
    "/ip4/198.17.1.1/tcp/1", "/ip4/198.19.1.1/tcp/1", "/ip4/223.255.255.1/tcp/1", "/ip4/224.0.0.1/tcp/1", "/ip4/127.0.0.1/tcp/1",
    "/ip4/1.2.3/tcp/1", "/ip4/1.2.3.256/tcp/1", "/ip4/01.2.3.4/tcp/1", "/ip4/1.2.3.4.5/tcp/1", "/ip4//tcp/1", "/ip4",
    "/ip6/2a00:1450:4001:81b::200e/tcp/1", "/ip6/2A00:1450:4001::/tcp/1", "/ip6/2a00::1/tcp/1", "/ip6/2001:1ff::1/tcp/1", "/ip6/2001:200::1/tcp/1",
    "/ip6/2001:db8::1/tcp/1", "/ip6/2002:102:304::1/tcp/1", "/ip6/3fff:fff::1/tcp/1", "/ip6/3fff:1000::1/tcp/1", "/ip6/fe80::1/tcp/1",
    "/ip6/::1/tcp/1", "/ip6/fd00::1/tcp/1", "/ip6/4000::1/tcp/1", "/ip6/2a00:1:2:3:4:5:6:7/tcp/1", "/ip6/2a00:1:2:3:4:5:6/tcp/1",
    "/ip6/2a00:1:2:3:4:5:6:7:8/tcp/1", "/ip6/2a00::1::2/tcp/1", "/ip6/2a00:12345::/tcp/1", "/ip6/2a00:1:2:3::4:5:6:7/tcp/1", "/ip6/g::/tcp/1",
    "/dns4/mail.example.org/tcp/1", "/dns/Example.ORG/tcp/1", "/dns6/a.b.c.example.org/tcp/1", "/dns4/localhost/tcp/1", "/dns4/10.0.0.1/tcp/1",
    "/dns4/-a.org/tcp/1", "/dns4/a_b.org/tcp/1", "/dns4/a..org/tcp/1", "/dns4/example.org./tcp/1", "/dnsaddr/example.org", "/unix/tmp/x", "", "/",
    "/ip4/81.2.69.142/tcp/1/p2p/QmX/p2p-circuit", "/dns4/xn--bcher-kva.example/tcp/1",
    "/dns4/mil\u212a.example/tcp/1", "/dns4/\u0130.example/tcp/1",
]


# --- places

def best(seed, slot, salt, weight):
    return max(sha(seed, slot.to_bytes(2, "big"), salt, bytes([i])) for i in range(weight))


def ranks(keepers, seed, slot, most=6):
    order = sorted(range(len(keepers)), key=lambda k: best(seed, slot, bytes.fromhex(keepers[k]["salt"]), keepers[k]["weight"]), reverse=True)
    networks, wallets, chosen = set(), set(), []
    for k in order:
        if keepers[k]["network"] in networks or keepers[k]["wallet"] in wallets: continue
        networks.add(keepers[k]["network"]); wallets.add(keepers[k]["wallet"]); chosen.append(k)
    return chosen[:most]


def placement(rng):
    keepers = [{"salt": sha(b"salt %d" % n).hex(), "weight": rng.choice([1, 1, 1, 2, 3, 8]), "network": "4 81.0.%d" % (n // 2 if n < 12 else n),
                "wallet": sha(b"wallet %d" % (n if n % 5 else 0)).hex()} for n in range(40)]
    cases = []
    for n in range(60):
        box, seed = sha(b"box %d" % n), sha(b"seed %d" % (n // 10))
        slot = int.from_bytes(sha(box), "big") >> 242
        few = keepers[:rng.choice([0, 1, 5, 12, 40])]
        cases.append({"box": box.hex(), "slot": slot, "seed": seed.hex(), "of": len(few), "ranks": ranks(few, seed, slot)})
    periods = [{"slot": slot, "day": day, "start": max(d for d in range(day - 29, day + 1) if d % 30 == slot % 30)}
               for slot in (0, 1, 29, 30, 16383) for day in (20_000, 20_029, 20_030, 20_785)]
    return {"keepers": keepers, "cases": cases, "periods": periods}


# --- the directory

def story(rng):
    """Twenty relays over twelve days of hours; some hours have no block."""
    validator_bond, unit = 1_000_000, 50_000
    relays = []
    for n in range(20):
        relays.append({"key": sha(b"relay %d" % n).hex(), "x25519": sha(b"x %d" % n).hex(), "multiaddr": "/ip4/81.1.%d.9/tcp/1" % (n % 17),
                       "wallet": sha(b"owner %d" % (n % 18)).hex(), "bondUt": rng.choice([unit - 1, unit, unit * 3, unit * 20, unit * 2 - 1]) if n else unit,
                       "registeredAtS": 0, "withdrawnAtS": 0, "suspendedUntilS": 0, "heartbeats": 5, "lastHeartbeatS": 0})
    relays[3]["multiaddr"] = "/ip4/10.0.0.1/tcp/1"
    start = 20_000 * DAY + 7 * HOUR
    standing, seeds, last_day, mode = {}, [], None, ["gossip", 0]
    hours, epochs = 0, []
    away = {n: set() for n in range(20)}
    for n in range(20):
        for _ in range(rng.randrange(4)):
            at = rng.randrange(500)
            away[n] |= set(range(at, at + rng.choice([2, 11, 12, 13, 30, 200])))
    away[4] = set(h for h in range(500) if h % 24 not in (0, 1, 2))
    for n in range(8, 20): away[n] |= set(range(150, 190))
    while hours < 300:
        step = rng.choice([1] * 19 + [5])
        time = start + hours * HOUR + rng.randrange(0, 600)
        for n, r in enumerate(relays):
            for h in range(hours - step, hours):
                if h not in away[n] and h >= 0: r["heartbeats"] += 6; r["lastHeartbeatS"] = start + h * HOUR + 3500
            if n == 5 and hours > 100 and r["withdrawnAtS"] == 0: r["withdrawnAtS"] = time - 10
            if n == 5 and hours > 140 and r["registeredAtS"] == 0: r["registeredAtS"] = time - 5
            if n == 6 and hours > 90 and r["suspendedUntilS"] == 0: r["suspendedUntilS"] = time + 60 * HOUR
            if n == 7 and hours > 200: r["bondUt"] = unit * 5
        parent = sha(b"block %d" % time)
        day = time // DAY
        while last_day is None or last_day < day:
            last_day = max(day - 59, 0) if last_day is None else last_day + 1
            seeds = (seeds + [sha(parent, last_day.to_bytes(4, "big")).hex()])[-60:]
        keepers = []
        for r in sorted(relays, key=lambda r: r["key"]):
            old = standing.get(r["key"])
            ok = (not (r["withdrawnAtS"] and r["withdrawnAtS"] >= r["registeredAtS"])
                  and r["bondUt"] * 20 >= validator_bond and network(r["multiaddr"]) is not None)
            quiet = time - r["lastHeartbeatS"]
            if old and old["s"] == "out" and time - old["left"] > 30 * DAY: old = None
            if r["suspendedUntilS"] > time: old, ok = None, False
            if old is None: new = {"s": "wait", "t": time, "h": r["heartbeats"]} if ok else None
            elif old["s"] == "wait":
                if not ok: new = None
                elif time - old["t"] < DAY: new = old
                elif r["heartbeats"] - old["h"] >= 40 and quiet < 12 * HOUR: new = {"s": "in", "salt": sha(bytes.fromhex(r["key"]), parent).hex()}
                else: new = {"s": "wait", "t": time, "h": r["heartbeats"]}
            elif old["s"] == "in": new = old if ok and quiet < 12 * HOUR else {"s": "out", "salt": old["salt"], "left": time, "back": None}
            else:
                new = dict(old)
                if not (ok and quiet < HOUR): new["back"] = None
                elif old["back"] is None: new["back"] = (time, r["heartbeats"])
                elif time - old["back"][0] >= HOUR and r["heartbeats"] - old["back"][1] >= 2: new = {"s": "in", "salt": old["salt"]}
            standing[r["key"]] = new
            if new and new["s"] == "in": keepers.append({"key": r["key"], "weight": min(8, r["bondUt"] // unit), "salt": new["salt"]})
        taken, alone = set(), 0
        for k in keepers:
            r = next(r for r in relays if r["key"] == k["key"])
            mine = {network(r["multiaddr"]), r["wallet"]}
            if not taken & mine: alone += 1; taken |= mine
        mode = modes(mode, alone)
        epochs.append({"timeS": time, "parentHash": parent.hex(), "relays": [[r["bondUt"], r["registeredAtS"], r["withdrawnAtS"], r["suspendedUntilS"],
                       r["heartbeats"], r["lastHeartbeatS"]] for r in relays],
                       "keepers": [[k["key"][:8], k["weight"], k["salt"][:8]] for k in keepers], "mode": mode, "seeds": sha(*map(bytes.fromhex, seeds)).hex()})
        hours += step
    return {"validatorBondUt": validator_bond, "relays": [{k: r[k] for k in ("key", "x25519", "multiaddr", "wallet")} for r in relays], "epochs": epochs}


def modes(mode, alone):
    name, count, *rest = mode
    if name == "gossip":
        count = count + 1 if alone >= 8 else 0
        return ["announced", 24, 0] if count == 24 else ["gossip", count]
    low = rest[0] if name == "announced" else count
    low = low + 1 if alone < 5 else 0
    if low == 6: return ["gossip", 0]
    if name == "announced": return ["announced", count - 1, low] if count > 1 else ["keepers", low]
    return ["keepers", low]


# --- fingerprints

def fingerprints(rng):
    cases = []
    for n in (0, 1, 2, 40):
        entries = [{"box": sha(b"b %d" % (i % 5)).hex(), "id": sha(b"i %d" % i)[:16].hex()} for i in range(n)]
        total = sum(int.from_bytes(sha(bytes.fromhex(e["box"]), bytes.fromhex(e["id"])), "big") for e in entries) % SUM
        cases.append({"entries": entries, "sum": "%064x" % total, "fingerprint": sha(total.to_bytes(32, "big")).hex()})
    return cases


# --- records

def head(major, n):
    if n < 24: return bytes([major << 5 | n])
    for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if n < 1 << 8 * size: return bytes([major << 5 | code]) + n.to_bytes(size, "big")


def cbor(v):
    if isinstance(v, int): return head(0, v)
    if isinstance(v, bytes): return head(2, len(v)) + v
    if isinstance(v, str): return head(3, len(v.encode())) + v.encode()
    return head(4, len(v)) + b"".join(map(cbor, v))


def records():
    cases = []
    for count, mode, seeds in ((0, ["gossip", 3], 1), (1, ["announced", 24, 1], 60), (64, ["keepers", 0], 60), (130, ["keepers", 5], 60)):
        keepers = sorted(({"key": sha(b"k %d" % n).hex(), "x25519": sha(b"x %d" % n).hex(), "multiaddr": "/ip4/81.7.%d.1/tcp/4001" % n if n % 9 else "/dns4/k%d.example/tcp/1" % n,
                           "wallet": sha(b"w %d" % (n // 2)).hex(), "weight": 1 + n % 8, "salt": sha(b"s %d" % n).hex()} for n in range(count)), key=lambda k: k["key"])
        rows = [[bytes.fromhex(k["key"]), bytes.fromhex(k["x25519"]), k["multiaddr"], bytes.fromhex(k["wallet"]), k["weight"], bytes.fromhex(k["salt"])] for k in keepers]
        parts = [cbor(rows[at:at + 64]) for at in range(0, count, 64)]
        name, first, *rest = mode
        packed = {"gossip": [0, first, 0], "announced": [1, first, *rest], "keepers": [2, 0, first]}[name]
        days = [sha(b"day %d" % n) for n in range(seeds)]
        top = cbor([480_000 + count, 1_728_000_000 + count, packed, count, sha(*map(sha, parts)), [20_000, days]])
        cases.append({"epoch": 480_000 + count, "beganS": 1_728_000_000 + count, "mode": mode, "keepers": keepers, "lastDay": 20_000,
                      "seeds": [d.hex() for d in days], "head": top.hex(), "parts": [sha(p).hex() for p in parts], "first": parts[0][:400].hex() if parts else ""})
    return cases


rng = random.Random(28)
text = json.dumps({"networks": [{"multiaddr": a, "network": network(a)} for a in ADDRESSES], "placement": placement(rng), "story": story(rng),
                   "fingerprints": fingerprints(rng), "records": records()})
(HERE / "keepers.json").write_text(text + "\n", encoding="utf-8")
