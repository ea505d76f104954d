#!/usr/bin/env python3
"""Makes contradictions.json with nothing of Parley: a CBOR writer of its own, OpenSSL's Ed25519 through `cryptography`
(Debian: apt-get install python3-cryptography), and the rule of evidence about headers in words of its own.

    make_contradictions.py    writes the file; the same bytes each time
"""
import base64, hashlib, json, pathlib
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

HERE = pathlib.Path(__file__).parent
CHAIN = "contradiction-vectors-1"
FIELDS = "version chain height time parent commit tx state receipts set next params evidence proposer count".split()


def head(major, n):
    if n < 24: return bytes([major << 5 | n])
    for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if n < 1 << 8 * size: return bytes([major << 5 | code]) + n.to_bytes(size, "big")


def cbor(v):
    if isinstance(v, int): return head(0, v)
    if isinstance(v, bytes): return head(2, len(v)) + v
    if isinstance(v, str): return head(3, len(v.encode())) + v.encode()
    return head(4, len(v)) + b"".join(map(cbor, v))


def sha(b): return hashlib.sha256(b).digest()
def b64(b): return base64.b64encode(b).decode()


KEY = Ed25519PrivateKey.from_private_bytes(sha(b"contradiction vector"))
PUBLIC = KEY.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def encoded(header): return cbor([header[name] for name in FIELDS])
def hash_of(header): return sha(encoded(header))


def block(height, parent=sha(b"parent"), **fields):
    header = dict(version=2, chain=CHAIN, height=height, time=1_000 * height, parent=parent, commit=sha(b"commit"), tx=sha(b"tx"), state=sha(b"state"),
                  receipts=sha(b"receipts"), set=sha(b"set"), next=sha(b"set"), params=sha(b"params"), evidence=sha(b""), proposer=PUBLIC, count=3)
    return {**header, **fields}


def chain(height, length):
    """Headers from the lowest up."""
    headers = [block(height)]
    while len(headers) < length: headers.append(block(height + len(headers), hash_of(headers[-1])))
    return headers


def vote(header, round):
    return KEY.sign(b"parley-vote\n" + CHAIN.encode() + b"\n" + cbor([2, header["height"], round, hash_of(header)]))


def contradict(own, other):
    """No honest validator votes for both: the block below settles some fields; the rest of a block settles what executing it gives."""
    settled = all(own[name] == other[name] for name in ("version", "chain", "parent", "set", "params"))
    # From version 3 on the result depends on the carried commit as well: who is missing from it is counted.
    work = ("time", "tx", "count", "evidence", "proposer") + (("commit",) if own["version"] >= 3 else ())
    same_work = all(own[name] == other[name] for name in work)
    same_result = all(own[name] == other[name] for name in ("state", "receipts", "next"))
    return not settled or (same_work and not same_result)


def case(name, headers, other, first=0, second=1, height=None, spoiled=False):
    """Headers from the lowest up; the first vote is for the highest."""
    lowest, voted = headers[0], headers[-1]
    height = lowest["height"] if height is None else height
    links = all(up["height"] == low["height"] + 1 and up["parent"] == hash_of(low) for low, up in zip(headers, headers[1:]))
    proves = links and len(headers) <= 64 and lowest["height"] == other["height"] == height and contradict(lowest, other)
    signature = vote(other, second)
    evidence = {
        "validator_pub": PUBLIC.hex(), "height": height, "round": second, "step": "header",
        "first": {"round": first, "headers": [b64(encoded(header)) for header in reversed(headers)], "signature": b64(vote(voted, first))},
        "second": {"header": b64(encoded(other)), "signature": b64(bytes([signature[0] ^ 1]) + signature[1:] if spoiled else signature)},
    }
    return {"name": name, "evidence": evidence, "isProof": proves and (len(headers) > 1 or first < second), "isSigned": not spoiled}


def cases():
    own = chain(7, 1)
    for name, fields in {
        "another parent": {"parent": sha(b"another")}, "another set": {"set": sha(b"another")}, "other parameters": {"params": sha(b"another")},
        "another version": {"version": 1}, "another chain": {"chain": "another-chain"}, "another state": {"state": sha(b"forged")},
        "other receipts": {"receipts": sha(b"forged")}, "another next set": {"next": sha(b"forged")},
        "another commit of the parent": {"commit": sha(b"another")}, "another time": {"time": 7_001}, "other transactions": {"tx": sha(b"other")},
        "other transactions and another state": {"tx": sha(b"other"), "state": sha(b"forged")}, "another proposer": {"proposer": sha(b"proposer")},
        "more transactions and other receipts": {"count": 4, "receipts": sha(b"forged")}, "nothing else": {},
        "another time and another set": {"time": 9_999, "set": sha(b"another")}, "another height": {"height": 8},
    }.items():
        yield case(f"one height: {name}", own, {**block(7), **fields})
    for name, fields in {
        "another state": {"state": sha(b"forged")}, "another next set": {"next": sha(b"forged")},
        "another commit and another state": {"commit": sha(b"another"), "state": sha(b"forged")},
        "another commit and another next set": {"commit": sha(b"another"), "next": sha(b"forged")},
        "another commit and another set": {"commit": sha(b"another"), "set": sha(b"forged")},
    }.items():
        yield case(f"one height of version 3: {name}", [block(7, version=3)], {**block(7, version=3), **fields})
    false = block(7, parent=sha(b"another"))
    yield case("one height, one round", own, false, 1, 1)
    yield case("one height, the later vote first", own, false, 2, 1)
    yield case("one height, distant rounds", own, false, 3, 1_000_000)
    yield case("a spoiled signature", own, false, spoiled=True)
    yield case("a height that neither has", own, false, height=6)
    for length in (2, 3, 64, 65):
        yield case(f"{length} headers down to the false one", chain(7, length), false, 0, 0)
    yield case("headers down to two valid blocks", chain(7, 3), block(7, time=7_001))
    yield case("headers down to another state of the same block", chain(7, 3), block(7, state=sha(b"forged")))
    low, middle, high = chain(7, 3)
    yield case("a header left out", [low, high], false)
    yield case("headers in the wrong order", [low, high, middle], false)
    yield case("a false link", [low, {**middle, "parent": sha(b"another")}, high], false)


text = json.dumps({"chainId": CHAIN, "cases": list(cases())}, indent=1, ensure_ascii=False)
(HERE / "contradictions.json").write_text(text + "\n", encoding="utf-8")
