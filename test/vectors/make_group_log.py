#!/usr/bin/env python3
"""Makes group-log.json with nothing of Parley: entries of a group's log with their hashes and proofs, by the CBOR writer of
make_messages.py, Python's SHA-256 and OpenSSL's Ed25519 (Debian: apt-get install python3-cryptography)."""
import base64, hashlib, json

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from make_messages import HERE, cbor

CHAIN = "parley-test"


def key(seed):
    return Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)


def public(private):
    return private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


class Person:
    def __init__(self, seed):
        self.master, self.signing = key(seed), key(seed + 1)
        self.pub, self.device = public(self.master), bytes([seed + 2]) * 32

    def sign(self, entry):
        certificate = self.master.sign(b"parley-device\n" + CHAIN.encode() + b"\n" + cbor([self.device, public(self.signing)]))
        signature = self.signing.sign(b"parley-group\n" + CHAIN.encode() + b"\n" + cbor(entry))
        return public(self.signing), certificate, signature


ANN, BOB, CAROL, DAVE = Person(0x10), Person(0x20), Person(0x30), Person(0x40)
CASES = []


def write(name, person, group, n, prev, op, value, json_change, height):
    entry = cbor([1, group, n, sorted(prev), person.pub, person.device, height, op, value])
    digest = hashlib.sha256(entry).digest()
    signing, certificate, signature = person.sign(entry)
    CASES.append({
        "name": name,
        "entry": {"group": group.hex(), "n": n, "prev": [h.hex() for h in sorted(prev)], "author": person.pub.hex(),
                  "device": person.device.hex(), "height": height, "change": {"op": op, **json_change}},
        "bytes": entry.hex(), "hash": digest.hex(),
        "signed": base64.b64encode(cbor([entry, signing, certificate, signature])).decode(),
    })
    return digest


def people(*of):
    keys = sorted(p.pub for p in of)
    return keys, [k.hex() for k in keys]


founders, founders_hex = people(BOB, CAROL)
create = write("the creation", ANN, b"\x07" * 16, 1, [], "create", [1800000000000, "Grüße 🌍", founders],
               {"at": 1800000000000, "name": "Grüße 🌍", "people": founders_hex}, 0)
group = create[:16]
bob, bob_hex = people(BOB)
admins = write("an admin", ANN, group, 2, [create], "admins", [1800000001000, bob], {"at": 1800000001000, "people": bob_hex}, 70000)
dave, dave_hex = people(DAVE)
add = write("a member who is added", BOB, group, 3, [admins], "add", [1800000002000, dave], {"at": 1800000002000, "people": dave_hex}, 70001)
name = write("a name beside it", ANN, group, 3, [admins], "name", [1800000002500, "Walks"], {"at": 1800000002500, "name": "Walks"}, 70002)
carol, carol_hex = people(CAROL)
remove = write("a removal after both", BOB, group, 4, [add, name], "remove", [1800000003000, carol], {"at": 1800000003000, "people": carol_hex}, 70003)
leave = write("one who leaves", DAVE, group, 5, [remove], "leave", [1800000004000], {"at": 1800000004000}, 70003)
owner = write("an owner who passes it on", ANN, group, 6, [leave], "owner", [1800000005000, bob], {"at": 1800000005000, "people": bob_hex}, 70004)
picture = hashlib.sha256(b"picture").digest()
shown = write("a picture beside the others", ANN, group, 3, [admins], "picture", [1800000006000, picture],
              {"at": 1800000006000, "picture": picture.hex()}, 70002)
mark = hashlib.sha256(b"parley-log\n" + group.hex().encode() + b"\n" + ANN.pub.hex().encode()).digest()[:8].hex()
memo = f"parley-log:{mark}:{owner.hex()}"
(HERE / "group-log.json").write_text(json.dumps({
    "chain": CHAIN, "id": group.hex(), "cases": CASES,
    "result": {"owner": ANN.pub.hex(), "admins": bob_hex, "name": "Walks", "picture": picture.hex(), "heads": sorted([owner.hex(), shown.hex()]),
               "people": {ANN.pub.hex(): "in", BOB.pub.hex(): "in", CAROL.pub.hex(): "removed", DAVE.pub.hex(): "left"}},
    # What the chain says makes Bob the owner, and no admin any more.
    "passed": {"memo": memo, "transfers": [{"owner": ANN.pub.hex(), "entry": owner.hex(), "chainId": CHAIN, "height": 70010}],
               "owner": BOB.pub.hex(), "admins": []},
}, indent=2, ensure_ascii=False) + "\n")
