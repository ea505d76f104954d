#!/usr/bin/env python3
"""Makes box-proofs.json with nothing of Parley: what mailbox keys sign, by XEdDSA over libsodium's points and scalars through PyNaCl, the CBOR
writer of make_messages.py and Python's hashes. libsodium itself checks each signature as an ordinary one of Ed25519. Boxes whose keys come
from Ed25519 seeds with the sign bit 0 are opened by ordinary signatures of these."""
import hashlib, json, os

import nacl.bindings as sodium
from nacl.signing import SigningKey, VerifyKey

from make_messages import HERE, cbor

CHAIN = "parley-test"
ORDER = 2**252 + 27742317777372353535851937790883648493


def scalar(number):
    return (number % ORDER).to_bytes(32, "little")


def hashed(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


def sign(secret, message, random):
    clamped = bytearray(secret)
    clamped[0] &= 248
    clamped[31] = clamped[31] & 127 | 64
    k = int.from_bytes(clamped, "little") % ORDER
    point = sodium.crypto_scalarmult_ed25519_base_noclamp(scalar(k))
    a = scalar(-k) if point[31] & 128 else scalar(k)
    key = point[:31] + bytes([point[31] & 127])
    r = hashed(b"\xfe" + b"\xff" * 31, a, message, random)
    nonce = sodium.crypto_scalarmult_ed25519_base_noclamp(scalar(r))
    s = scalar(r + hashed(nonce, key, message) * int.from_bytes(a, "little"))
    VerifyKey(key).verify(message, nonce + s)
    return key, nonce + s


cases = []
for n in range(8):
    secret = hashlib.sha256(b"mailbox %d" % n).digest()
    random = hashlib.sha512(b"random %d" % n).digest()
    mailbox = sodium.crypto_scalarmult_base(secret)
    ids = [hashlib.sha256(b"%d %d" % (n, i)).hexdigest()[:32] for i in range(1 + 3 * n)] + ['any "id" of \\ASCII']
    height = n ** 8
    message = b"parley-box\n" + CHAIN.encode() + b"\n" + cbor(["delete", mailbox, ids, height])
    key, signature = sign(secret, message, random)
    cases.append({"secret": secret.hex(), "random": random.hex(), "mailbox": mailbox.hex(), "edwards": key.hex(), "ids": ids,
                  "height": height, "message": message.hex(), "signature": signature.hex()})


def seeds(name):
    """Ed25519 keys whose public key has the sign bit 0."""
    for n in range(1000):
        key = SigningKey(hashlib.sha256(b"%s %d" % (name, n)).digest())
        if not bytes(key.verify_key)[31] & 128:
            yield key


openings = []
owners = seeds(b"box")
for n, rule in enumerate(["anyone", "owner", "anyone", "owner"]):
    owner, writer = next(owners), SigningKey(hashlib.sha256(b"writer %d" % n).digest())
    mailbox = owner.verify_key.to_curve25519_public_key().encode()
    until, height = 1_700_000_000 * (n + 1), 1000 ** n
    front = b"parley-box\n" + CHAIN.encode() + b"\n"
    message = front + cbor(["open", mailbox, bytes(writer.verify_key), rule, until, height])
    id = hashlib.sha256(b"envelope %d" % n).hexdigest()[:32]
    sender, master = hashlib.sha256(b"sender %d" % n).digest(), hashlib.sha256(b"master %d" % n).digest() if n % 2 else b""
    sent_at, fee = 1_700_000_000 + n, 300 * n
    admitted = front + cbor(["admit", mailbox, id, sender, master, fee, sent_at])
    openings.append({"seed": bytes(owner).hex(), "mailbox": mailbox.hex(), "edwards": bytes(owner.verify_key).hex(),
                     "writeSeed": bytes(writer).hex(), "writeKey": bytes(writer.verify_key).hex(), "read": rule, "untilSec": until, "height": height,
                     "message": message.hex(), "signature": owner.sign(message).signature.hex(),
                     "id": id, "sender": sender.hex(), "master": master.hex(), "feeUt": fee, "sentAt": sent_at, "admitMessage": admitted.hex(), "admit": writer.sign(admitted).signature.hex()})

with open(os.path.join(HERE, "box-proofs.json"), "w") as file:
    json.dump({"chainId": CHAIN, "deletions": cases, "openings": openings}, file, indent=1)
    file.write("\n")
