#!/usr/bin/env python3
"""Makes group-log.json with nothing of Parley: entries of a group's log with their hashes and proofs, by the CBOR writer of
make_messages.py, Python's SHA-256 and OpenSSL's Ed25519 (Debian: apt-get install python3-cryptography)."""
import base64, hashlib, json

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
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
# Two bases of the owner: what is before the first one is replaced by its state, as the second one confirms it.
STATUS = {"in": 0, "left": 1, "removed": 2}


def state_at(owner, kept, admins, name, picture, members):
    rows = sorted([p.pub, STATUS[status], n, at, digest] for p, status, n, at, digest in members)
    return cbor([1, owner.pub, kept, sorted(a.pub for a in admins), name, picture, rows])


state = state_at(ANN, [create], [BOB], ["Walks", 3, 1800000002500], picture,
                 [(ANN, "in", 1, 1800000000000, create), (BOB, "in", 1, 1800000000000, create),
                  (CAROL, "removed", 4, 1800000003000, remove), (DAVE, "left", 5, 1800000004000, leave)])
state_hash = hashlib.sha256(state).digest()
base = write("a base", ANN, group, 6, [leave, shown], "base", [1800000007000, state_hash],
             {"at": 1800000007000, "state": state_hash.hex()}, 70005)
again = write("a member who comes back", BOB, group, 7, [base], "add", [1800000008000, carol], {"at": 1800000008000, "people": carol_hex}, 70006)
later = state_at(ANN, [create], [BOB], ["Walks", 3, 1800000002500], picture,
                 [(ANN, "in", 1, 1800000000000, create), (BOB, "in", 1, 1800000000000, create),
                  (CAROL, "in", 7, 1800000008000, again)])
later_hash = hashlib.sha256(later).digest()
confirming = write("a base that confirms it", ANN, group, 8, [again], "base", [1800000009000, later_hash],
                   {"at": 1800000009000, "state": later_hash.hex()}, 70007)
# An invite link, and someone who comes in by it.
ERIN, FRANK = Person(0x50), Person(0x60)
SECRET = bytes(range(16))
seed = HKDF(algorithm=hashes.SHA256(), length=32, salt=group, info=b"parley group link " + CHAIN.encode()).derive(SECRET)
link_key = Ed25519PrivateKey.from_private_bytes(seed)
link = public(link_key)
text = "parley:group#" + base64.urlsafe_b64encode(
    cbor([1, hashlib.sha256(CHAIN.encode()).digest()[:4], group, SECRET, [BOB.pub], "Grüße 🌍"])).decode().rstrip("=")
request = link_key.sign(b"parley-join\n" + CHAIN.encode() + b"\n" + cbor([group, ERIN.pub, 1800000010500]))
erin, erin_hex = people(ERIN)
invite = write("an invite link", BOB, group, 9, [confirming], "invite", [1800000010000, link, 1800600000000, 5],
               {"at": 1800000010000, "key": link.hex(), "until": 1800600000000, "uses": 5}, 70008)
admit = write("who comes by it", BOB, group, 10, [invite], "admit", [1800000011000, link, erin],
              {"at": 1800000011000, "key": link.hex(), "guests": erin_hex}, 70009)
came = write("the addition by it", BOB, group, 11, [admit], "add", [1800000011000, erin], {"at": 1800000011000, "people": erin_hex}, 70009)
linked = cbor([2, ANN.pub, [create], [BOB.pub], ["Walks", 3, 1800000002500], picture,
               sorted([p.pub, STATUS[status], n, at, digest] for p, status, n, at, digest in
                      [(ANN, "in", 1, 1800000000000, create), (BOB, "in", 1, 1800000000000, create),
                       (CAROL, "in", 7, 1800000008000, again), (ERIN, "in", 11, 1800000011000, came)]),
               [[link, BOB.pub, 1800600000000, 5, 1, 9, invite]]])
withdrawn = write("its withdrawal", ANN, group, 12, [came], "withdraw", [1800000012000, [link]],
                  {"at": 1800000012000, "keys": [link.hex()]}, 70010)
frank, frank_hex = people(FRANK)
late = write("who comes beside the withdrawal", BOB, group, 12, [came], "admit", [1800000012000, link, frank],
             {"at": 1800000012000, "key": link.hex(), "guests": frank_hex}, 70010)
refused = write("their addition", BOB, group, 13, [late], "add", [1800000012000, frank], {"at": 1800000012000, "people": frank_hex}, 70010)
mark = hashlib.sha256(b"parley-log\n" + group.hex().encode() + b"\n" + ANN.pub.hex().encode()).digest()[:8].hex()
memo = f"parley-log:{mark}:{owner.hex()}"
LINKS = next(i for i, c in enumerate(CASES) if c["name"] == "an invite link")
BEFORE = next(i for i, c in enumerate(CASES) if c["name"] == "a base")
(HERE / "group-log.json").write_text(json.dumps({
    "chain": CHAIN, "id": group.hex(), "cases": CASES, "before": BEFORE,
    "result": {"owner": ANN.pub.hex(), "admins": bob_hex, "name": "Walks", "picture": picture.hex(), "heads": sorted([owner.hex(), shown.hex()]),
               "people": {ANN.pub.hex(): "in", BOB.pub.hex(): "in", CAROL.pub.hex(): "removed", DAVE.pub.hex(): "left"}},
    # What the chain says makes Bob the owner, and no admin any more.
    "passed": {"memo": memo, "transfers": [{"owner": ANN.pub.hex(), "entry": owner.hex(), "chainId": CHAIN, "height": 70010}],
               "owner": BOB.pub.hex(), "admins": []},
    "bases": {"of": [c["hash"] for c in CASES[:LINKS] if c["name"] != "an owner who passes it on"], "root": base.hex(), "state": state.hex(), "kept": [create.hex()],
              "entries": [h.hex() for h in (create, base, again, confirming)], "confirming": later.hex(), "heads": [confirming.hex()],
              "people": {ANN.pub.hex(): "in", BOB.pub.hex(): "in", CAROL.pub.hex(): "in", DAVE.pub.hex(): "left"}},
    # The cases from this one on, behind the root: the state of the first three has the link.
    # The link itself: its secret, as who makes it and who asks use it.
    "link": {"secret": SECRET.hex(), "name": "Grüße 🌍", "admins": [BOB.pub.hex()], "text": text,
             "at": 1800000010500, "person": ERIN.pub.hex(), "signature": request.hex()},
    "links": {"from": LINKS, "key": link.hex(), "state": linked.hex(), "came": ERIN.pub.hex(), "refused": FRANK.pub.hex()},
}, indent=2, ensure_ascii=False) + "\n")
