#!/usr/bin/env python3
"""Makes linking.json with nothing of Parley: codes, mailboxes, digits and messages of linking a device, by the CBOR writer of
make_messages.py, the hashes of Python, and an X25519 ladder written from RFC 7748."""
import hashlib, hmac, json

from make_messages import HERE, cbor, padme

CHAIN = "parley-test"
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
P = 2**255 - 19


def x25519(k, u):
    k = (int.from_bytes(k, "little") & ~7 & ~(128 << 248)) | (64 << 248)
    u = int.from_bytes(u, "little") & (2**255 - 1)
    x2, z2, x3, z3, swap = 1, 0, u, 1, 0
    for t in reversed(range(255)):
        bit = k >> t & 1
        if swap ^ bit: x2, x3, z2, z3 = x3, x2, z3, z2
        swap = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb = a * a % P, b * b % P
        e, da, cb = aa - bb, d * a % P, c * b % P
        x3, z3 = (da + cb) ** 2 % P, u * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, e * (aa + 121665 * e) % P
    if swap: x2, z2 = x3, z3
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


def public(secret):
    return x25519(secret, (9).to_bytes(32, "little"))


def hkdf(secret, salt, info, length):
    key = hmac.new(salt or bytes(32), secret, hashlib.sha256).digest()
    return hmac.new(key, info.encode() + b"\1", hashlib.sha256).digest()[:length]


def derive(secret, salt, purpose, length):
    return hkdf(secret, salt, "parley link " + purpose, length)


def symbols(text, count):
    return "".join(ALPHABET[byte % 32] for byte in hashlib.sha256(text.encode()).digest()[:count])


def code(secret, chain):
    body = secret + symbols("parley link network\n" + chain, 2)
    whole = body + symbols("parley link check\n" + body, 1)
    return "-".join(whole[i:i + 5] for i in (0, 5, 10))


def frame(fields):
    content = cbor(fields)
    plain = b"\xffPLL\x01" + len(content).to_bytes(4, "big") + content
    return plain.ljust(padme(max(512, len(plain))), b"\0").hex()


def main():
    secret = "0123456789AB"
    old, fresh, nonce = bytes([1]) * 32, bytes([2]) * 32, bytes([3]) * 16
    old_pub, fresh_pub = public(old), public(fresh)
    sha = lambda value: hashlib.sha256(cbor(value)).digest()
    commitment = sha(["parley link commitment", fresh_pub, nonce])
    salt = sha(["parley link transcript", CHAIN, secret, commitment, old_pub, fresh_pub, nonce])
    shared = x25519(old, fresh_pub)
    key = derive(shared, salt, "session", 32)
    digits = int.from_bytes(derive(shared, salt, "digits", 8), "big") % 100
    boxes = lambda s, t, place: {side: public(derive(s, t, f"{place} {side}", 32)).hex() for side in ("old", "fresh")}
    b32, b64 = "0a" * 32, "0c" * 64
    h = bytes.fromhex
    messages = [
        ("hello", {"commitment": b32}, {"commitment": h(b32)}),
        ("offer", {"key": b32}, {"key": h(b32)}),
        ("reveal", {"key": b32, "nonce": "03" * 16}, {"key": h(b32), "nonce": h("03" * 16)}),
        ("device", {"devicePub": b32, "signingPub": "0b" * 32, "name": "Chrome on Linux"}, {"dev": h(b32), "sign": h("0b" * 32), "name": "Chrome on Linux"}),
        ("grant", {"masterPub": b32, "certificate": b64, "profileName": "Ännchen", "hasHistory": True},
         {"master": h(b32), "cert": h(b64), "name": "Ännchen", "history": True}),
        ("want", {"after": "7:ab", "window": 4}, {"after": "7:ab", "window": 4}),
        ("part", {"from": "", "next": "7:ab", "isLast": False, "done": 7, "total": 300, "data": "7b7d"},
         {"from": "", "next": "7:ab", "last": False, "done": 7, "total": 300, "data": h("7b7d")}),
        ("end", {"reason": "wrongDigits"}, {"reason": "wrongDigits"}),
    ]
    result = {
        "source": "Made by make_linking.py with an independent CBOR writer, Python's hashes and an X25519 ladder, not with the code under test.",
        "chainId": CHAIN,
        "codes": [{"secret": s, "code": code(s, CHAIN)} for s in (secret, "ZZZZZZZZZZZZ", "000000000000")],
        "rendezvous": boxes(secret.encode(), CHAIN.encode(), "rendezvous"),
        "session": {"oldSecret": old.hex(), "freshSecret": fresh.hex(), "nonce": nonce.hex(), "commitment": commitment.hex(), "digits": f"{digits:02}",
                    "key": key.hex(), "mailboxes": boxes(key, b"", "session")},
        "messages": [{"message": {"kind": kind, **fields}, "bytes": frame({"kind": kind, **encoded})} for kind, fields, encoded in messages],
    }
    (HERE / "linking.json").write_text(json.dumps(result, ensure_ascii=False, indent=2) + "\n")


if __name__ == "__main__":
    main()
