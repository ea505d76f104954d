#!/usr/bin/env python3
"""Makes pairs.json with nothing of Parley: HMAC and SHA-2/3 of Python, an X25519 ladder and a CBOR writer of its own, and AES-256-GCM and
ML-KEM-768 decapsulation of OpenSSL (python3-cryptography; ML-KEM ciphertexts come from x-wing.json, the vectors of the draft)."""
import hashlib, hmac, json, pathlib
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

HERE = pathlib.Path(__file__).parent
P = 2 ** 255 - 19
SIZES = (3072, 12288, 49152, 192512)
HEAD = 4 + 1 + 8 + 16 + 1120


def x25519(k, u):
    k = int.from_bytes(k, "little") & ~7 & ~(128 << 8 * 31) | 64 << 8 * 31
    u = int.from_bytes(u, "little") & ~(1 << 255)
    x2, z2, x3, z3 = 1, 0, u, 1
    for t in range(254, -1, -1):
        bit = k >> t & 1
        if bit: x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        x3, z3 = (d * a + c * b) ** 2 % P, u * (d * a - c * b) ** 2 % P
        x2, z2 = a * a * b * b % P, (a * a - b * b) * (a * a + 121665 * (a * a - b * b)) % P
        if bit: x2, z2, x3, z3 = x3, z3, x2, z2
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


def head(major, n):
    if n < 24: return bytes([major << 5 | n])
    for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if n < 1 << 8 * size: return bytes([major << 5 | code]) + n.to_bytes(size, "big")


def cbor(v):
    if isinstance(v, int): return head(0, v)
    if isinstance(v, bytes): return head(2, len(v)) + v
    if isinstance(v, str): return head(3, len(v.encode())) + v.encode()
    if isinstance(v, list): return head(4, len(v)) + b"".join(map(cbor, v))
    return head(5, len(v)) + b"".join(k + x for k, x in sorted((cbor(k), cbor(x)) for k, x in v.items()))


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def hkdf(secret, salt, info):
    return hmac.new(hmac.new(salt, secret, "sha256").digest(), info + b"\x01", "sha256").digest()


def pad(content, sender=0):
    size = next(s for s in SIZES if len(content) + 4 <= s - HEAD - sender - 16)
    return (len(content).to_bytes(4, "big") + content).ljust(size - HEAD - sender - 16, b"\0")


def case(n, wing, content, form=b"\x02"):
    b = bytes.fromhex
    sender, recipient, x = (bytes([n * 3 + i] * 32) for i in (1, 2, 3))
    base = (9).to_bytes(32, "little")
    sender_pub, recipient_pub, x_pub = (x25519(s, base) for s in (sender, recipient, x))
    master, other = bytes([0xA0 + n] * 32), bytes([0xB0 + n] * 32)
    chain = f"parley-test-{n}"
    instance, number = bytes(range(n, n + 8)), 7 + n
    card = instance[:4] + number.to_bytes(4, "big")
    psk, hedge_key, randomness = (bytes([0x40 + 3 * n + i] * 32) for i in (0, 1, 2))
    kem, ct, ss = b(wing["pk"]), b(wing["ct"]), b(wing["ss"])
    hedge = hmac.new(hedge_key, randomness + sha(content), "sha256").digest()[:16]
    digest = sha(kem, x_pub)
    salt = sha(f"parley/2 seal\n{chain}\n".encode(), form, recipient_pub, master, sender_pub, other, recipient_pub, card, digest, hedge, sha(ct))
    key = hkdf(ss + x25519(sender, x_pub) + x25519(sender, recipient_pub) + psk, salt, b"parley/2 content")
    sealed = AESGCM(key).encrypt(bytes(12), pad(content), None)
    sign = b"parley-card\n" + chain.encode() + b"\n" + cbor([recipient_pub, instance, card, kem, x_pub])
    return {"chain": chain, "sender_secret": sender.hex(), "recipient_secret": recipient.hex(), "sender_master": master.hex(),
            "recipient_master": other.hex(), "instance": instance.hex(), "number": number, "card_id": card.hex(), "x_secret": x.hex(), "psk": psk.hex(),
            "kem_secret": wing["seed"], "hedge_key": hedge_key.hex(), "randomness": randomness.hex(), "content": content.hex(), "hedge": hedge.hex(),
            "key": key.hex(), "card_sign_digest": sha(sign).hex(), "plaintext_sha256": sha(b"\xffPLQ", form, card, hedge, ct, sealed).hex(),
            "plaintext_length": HEAD + len(sealed), "sealed_head": sealed[:32].hex(), "tag": sealed[-16:].hex(), "wing": n}


def public(n, wing, content, form=b"\x03"):
    b = bytes.fromhex
    sender, recipient, x = (bytes([n * 5 + i] * 32) for i in (1, 2, 3))
    base = (9).to_bytes(32, "little")
    sender_pub, recipient_pub, x_pub = (x25519(s, base) for s in (sender, recipient, x))
    master, other, signing = bytes([0xA1 + n] * 32), bytes([0xB1 + n] * 32), bytes([0xC1 + n] * 32)
    chain = f"parley-test-{n}"
    instance, number, height = bytes(range(n + 1, n + 9)), 500_000 + n, 24 * n
    card, hedge = instance[:4] + number.to_bytes(4, "big"), bytes([0x60 + n] * 16)
    kem, ct, ss = b(wing["pk"]), b(wing["ct"]), b(wing["ss"])
    from_key = hkdf(ss, sha(f"parley/2 from\n{chain}\n".encode(), recipient_pub, card, hedge, sha(ct)), b"parley/2 from")
    sealed_from = AESGCM(from_key).encrypt(bytes(12), master + sender_pub, None)
    salt = sha(f"parley/2 seal\n{chain}\n".encode(), form, recipient_pub, master, sender_pub, other, recipient_pub, card, sha(kem, x_pub), hedge, sha(ct))
    key = hkdf(ss + x25519(sender, x_pub) + x25519(sender, recipient_pub) + bytes(32), salt, b"parley/2 content")
    sealed = AESGCM(key).encrypt(bytes(12), pad(content, 80), None)
    certificate, signature = bytes([0xD1 + n] * 64), bytes([0xE1 + n] * 64)
    sign = b"parley-public\n" + chain.encode() + b"\n" + cbor([recipient_pub, number, height, instance, kem, x_pub, other])
    encoded = cbor([1, number, height, instance, kem, x_pub, other, signing, certificate, signature])
    return {"chain": chain, "sender_secret": sender.hex(), "recipient_secret": recipient.hex(), "sender_master": master.hex(),
            "recipient_master": other.hex(), "instance": instance.hex(), "number": number, "height": height, "card_id": card.hex(), "x_secret": x.hex(),
            "kem_secret": wing["seed"], "signing": signing.hex(), "certificate": certificate.hex(), "signature": signature.hex(),
            "sign_digest": sha(sign).hex(), "encoded_digest": sha(encoded).hex(), "encoded_length": len(encoded), "content": content.hex(), "hedge": hedge.hex(),
            "from_key": from_key.hex(), "key": key.hex(), "plaintext_sha256": sha(b"\xffPLQ", form, card, hedge, ct, sealed_from, sealed).hex(),
            "plaintext_length": HEAD + 80 + len(sealed), "from": sealed_from.hex(), "wing": n}


def contents():
    b, one = bytes.fromhex, "01" * 16
    stream = {"instance": "05" * 8, "last": 300, "base": 299}
    fields = {"id": b(one), "at": 1800000000123, "stream": [b("05" * 8), 300, 299], "kind": "text", "body": {"text": "Hi"}}
    base = {"id": one, "at": 1800000000123, "stream": stream, "body": {"kind": "text", "text": "Hi"}}
    kem = b("0a" * 1216)
    cases = [
        ("a text in its place", {"place": 300}, {"place": 300}),
        ("an acknowledgement with ranges", {"ack": {"instance": "06" * 8, "upTo": 7, "digest": "07" * 8, "ranges": [{"from": 9, "to": 9}, {"from": 11, "to": 70000}]}},
         {"ack": [b("06" * 8), 7, b("07" * 8), [[9, 9], [11, 70000]]]}),
        ("what did not open, after another instance", {"after": "04" * 8, "lost": ["05050505000000ff"]}, {"after": b("04" * 8), "lost": [b("05050505000000ff")]}),
        ("a card", {"card": {"id": "0505050500000001", "kem": "0a" * 1216, "x": "0b" * 32, "psk": "0c" * 32, "signature": "0d" * 64}},
         {"card": [b("0505050500000001"), kem, b("0b" * 32), b("0c" * 32), b("0d" * 64)]}),
        ("what the author's device takes, reads and opens", {"files": 104857600, "boxes": 64, "form": 4}, {"files": 104857600, "boxes": 64, "form": 4}),
        ("a mark", {"body": {"kind": "mark"}}, {"kind": "mark", "body": {}}),
        ("all else of a content", {"expiresInS": 60, "group": {"id": "09" * 16, "keeper": "dd" * 32}, "heads": ["21" * 32], "block": {"height": 9, "hash": "0c" * 32}},
         {"exp": 60, "group": [b("09" * 16), b("dd" * 32)], "log": [b("21" * 32)], "block": [9, b("0c" * 32)]}),
        ("contents that are gone", {"body": {"kind": "resend.gone", "stream": "05" * 8, "positions": [2], "ids": [one]}},
         {"kind": "resend.gone", "body": {"stream": b("05" * 8), "positions": [2], "ids": [b(one)]}}),
    ]
    return [{"name": name, "content": {**base, **shown}, "bytes": cbor({**fields, **more}).hex()} for name, shown, more in cases]


def main():
    wings = json.loads((HERE / "x-wing.json").read_text())
    samples = [b"", b"x" * 1903, b"y" * 1904]
    made = [case(n, wing, content) for n, (wing, content) in enumerate(zip(wings, samples))]
    to_public = [public(n, wing, content) for n, (wing, content) in enumerate(zip(wings, [b"", b"x" * 1823, b"y" * 1824]))]
    in_pairs = [public(n, wing, content, b"\x04") for n, (wing, content) in enumerate(zip(wings, [b"", b"x" * 1823, b"y" * 1824]))]
    text = {"source": "Made by make_pairs.py with an own X25519 and CBOR writer, Python's hashes and OpenSSL's AES-GCM, not with the code under test.",
            "cases": made, "public": to_public, "public_pair": in_pairs, "contents": contents()}
    (HERE / "pairs.json").write_text(json.dumps(text, indent=1) + "\n")


main()
