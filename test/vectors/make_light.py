#!/usr/bin/env python3
"""Makes light.json with nothing of Parley: a CBOR writer and a Merkle tree of its own, OpenSSL's Ed25519 through `cryptography`
(Debian: apt-get install python3-cryptography), and the rules of light nodes counted a second time, with fractions.

    make_light.py    writes the file; the same bytes each time
"""
import hashlib, json, pathlib
from fractions import Fraction
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

HERE = pathlib.Path(__file__).parent
CHAIN, BEGIN, STEP, PERIOD, DRIFT = "light-vectors-1", 1_800_000_000_000, 1_000, 14 * 24 * 3_600_000, 60_000


def head(major, n):
    if n < 24: return bytes([major << 5 | n])
    for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if n < 1 << 8 * size: return bytes([major << 5 | code]) + n.to_bytes(size, "big")


def cbor(v):
    if v is None: return b"\xf6"
    if isinstance(v, int): return head(0, v)
    if isinstance(v, bytes): return head(2, len(v)) + v
    if isinstance(v, str): return head(3, len(v.encode())) + v.encode()
    return head(4, len(v)) + b"".join(map(cbor, v))


def sha(b): return hashlib.sha256(b).digest()


def root(leaves):
    if not leaves: return sha(b"")
    if len(leaves) == 1: return sha(b"\0" + leaves[0])
    k = 1
    while k * 2 < len(leaves): k *= 2
    return sha(b"\1" + root(leaves[:k]) + root(leaves[k:]))


KEYS = {n: Ed25519PrivateKey.from_private_bytes(sha(b"light vector %d" % n)) for n in range(40)}
PUBLIC = {n: key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw) for n, key in KEYS.items()}


def order(names): return sorted(names, key=lambda n: PUBLIC[n])
def pairs(names): return [[PUBLIC[n], 1_000 + n] for n in order(names)]
def set_hash(names): return root([cbor(pair) for pair in pairs(names)])


class Block:
    """A block of a set, signed by some of it; `next` is the set of the next height."""

    def __init__(self, height, names, signing=None, next=None, parent=b"\0" * 32, time=None, round=0, spoiled=False):
        self.height, self.names, self.next = height, names, next or names
        self.signing, self.spoiled, self.parent = set(names if signing is None else signing), spoiled, parent
        self.time = BEGIN + height * STEP if time is None else time
        z = b"\0" * 32
        self.header = [2, CHAIN, height, self.time, parent, z, sha(b"tx"), sha(b"state%d" % height), z, set_hash(names), set_hash(self.next), z, z, PUBLIC[order(names)[0]], 0]
        self.hash = sha(cbor(self.header))
        message = b"parley-vote\n" + CHAIN.encode() + b"\n" + cbor([2, height, round, self.hash])
        bitmap, signatures = bytearray((len(names) + 7) // 8), []
        for i, n in enumerate(order(names)):
            if n not in self.signing: continue
            bitmap[i // 8] |= 1 << i % 8
            signature = KEYS[n].sign(message)
            signatures.append(bytes([signature[0] ^ 1]) + signature[1:] if spoiled and not signatures else signature)
        self.commit = None if height == 0 else [height, round, self.hash, bytes(bitmap), signatures]

    @property
    def bytes(self): return cbor([self.header, self.commit, pairs(self.names)])


def expected(trusted, offered, now):
    """The rules, in words of their own: who vouches, who decides, and whether both can stand on one chain."""
    if now - trusted.time >= PERIOD: return "expired"
    if offered.height <= trusted.height: return "invalid"
    adjacent = offered.height - trusted.height == 1
    vouching = Fraction(len(offered.signing & set(trusted.names)), len(trusted.names)) > Fraction(1, 3)
    named = adjacent and set_hash(offered.names) == set_hash(trusted.next)
    if not (vouching or named): return "invalid" if adjacent else "tooFarApart"
    if offered.spoiled or Fraction(len(offered.signing), len(offered.names)) <= Fraction(2, 3): return "invalid"
    if offered.time <= trusted.time or (adjacent and (offered.parent != trusted.hash or not named)): return "contradiction"
    return "early" if offered.time - now > DRIFT else "verified"


def case(name, trusted, offered, now=BEGIN + 100 * STEP):
    return {"name": name, "nowMs": now, "trusted": trusted.bytes.hex(), "trustedHash": trusted.hash.hex(), "offered": offered.bytes.hex(),
            "offeredHash": offered.hash.hex(), "outcome": expected(trusted, offered, now)}


def cases():
    r, one = range, Block(0, [0])
    four, nine = Block(0, list(r(4))), Block(5, list(r(9)))
    after = lambda block, names, **more: Block(block.height + 1, names, parent=block.hash, **more)
    yield case("the next block of a set of one", one, after(one, [0]))
    yield case("the next block, three of four", four, after(four, [0, 1, 2, 3], signing=[0, 1, 3], round=7))
    yield case("the next block, two of four", four, after(four, [0, 1, 2, 3], signing=[0, 1]))
    yield case("the next block, six of nine", nine, after(nine, list(r(9)), signing=list(r(6))))
    yield case("the next block, seven of nine", nine, after(nine, list(r(9)), signing=list(r(2, 9))))
    moved = Block(3, [0, 1, 2, 3], next=[10, 11])
    yield case("the next block of a set that is all new, and named", moved, after(moved, [10, 11]))
    yield case("the next block of a set that is not named", four, after(four, [10, 11]))
    yield case("the next block of a smaller set than the named one, which vouches", four, after(four, [0, 1, 2]))
    yield case("the next block on another parent", four, Block(1, [0, 1, 2, 3], parent=sha(b"another")))
    yield case("the next block at the time of its parent", four, after(four, [0, 1, 2, 3], time=BEGIN))
    yield case("a skip, the same set", four, Block(50, [0, 1, 2, 3]))
    for known in r(1, 5):
        yield case(f"a skip, {known} of nine trusted sign in a set of {known + 3}", nine, Block(60, [*r(known), 20, 21, 22]))
    yield case("a skip, three of nine trusted in a set of 12 that all sign", nine, Block(60, [*r(3), *r(20, 29)]))
    yield case("a skip, all trusted are in the set, three of nine sign", nine, Block(60, [*r(9), 20, 21], signing=[0, 1, 2, 20, 21]))
    yield case("a skip, four of nine trusted sign, two thirds of the new set", nine, Block(60, [*r(4), 20, 21], signing=list(r(4))))
    yield case("a skip, four of nine trusted sign, more than two thirds of the new set", nine, Block(60, [*r(4), 20], signing=list(r(4))))
    yield case("a skip, seventeen validators over three bytes of the bitmap", Block(1, list(r(17))), Block(9, list(r(17)), signing=list(r(5, 17))))
    yield case("a skip, one spoiled signature among enough", four, Block(50, [0, 1, 2, 3], spoiled=True))
    yield case("a skip back in time", nine, Block(60, list(r(9)), time=nine.time))
    yield case("a block below", nine, Block(4, list(r(9))))
    yield case("the last moment of trust", four, Block(50, [0, 1, 2, 3]), BEGIN + PERIOD - 1)
    yield case("trust that is over", four, Block(50, [0, 1, 2, 3]), BEGIN + PERIOD)
    yield case("as far ahead of the clock as may be", four, Block(50, [0, 1, 2, 3]), BEGIN + 50 * STEP - DRIFT)
    yield case("further ahead of the clock", four, Block(50, [0, 1, 2, 3]), BEGIN + 50 * STEP - DRIFT - 1)


text = json.dumps({"chainId": CHAIN, "cases": list(cases())}, indent=1, ensure_ascii=False)
(HERE / "light.json").write_text(text + "\n", encoding="utf-8")
