#!/usr/bin/env python3
"""Makes carry.json with nothing of Parley: requests, answers and news as they go through carriers, from docs/network.md and RFC 7748, 5869 and
FIPS 197 with SP 800-38D, in plain Python.

    make_carry.py    writes the file; the same bytes each time
"""
import hashlib, hmac, json, pathlib

HERE = pathlib.Path(__file__).parent
P = 2**255 - 19


def x25519(scalar, point):
    k = bytearray(scalar); k[0] &= 248; k[31] = k[31] & 127 | 64
    n, u = int.from_bytes(k, "little"), int.from_bytes(point, "little") & (1 << 255) - 1
    x2, z2, x3, z3, swap = 1, 0, u, 1, 0
    for t in range(254, -1, -1):
        bit = n >> t & 1
        if swap ^ bit: x2, x3, z2, z3 = x3, x2, z3, z2
        swap = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        da, cb, aa, bb = d * a, c * b, a * a, b * b
        x3, z3 = pow(da + cb, 2, P), u * pow(da - cb, 2, P) % P
        e = aa - bb
        x2, z2 = aa * bb % P, e * (aa + 121665 * e) % P
    if swap: x2, z2 = x3, z3
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


BASE = bytes([9]) + bytes(31)


def hkdf(ikm, salt, info):
    prk = hmac.new(salt, ikm, hashlib.sha256).digest()
    return hmac.new(prk, info + b"\x01", hashlib.sha256).digest()


# --- AES-256 (encryption alone) and GCM

def tables():
    box, p, q = [0] * 256, 1, 1
    while True:
        p = (p ^ p << 1 ^ (0x11b if p & 128 else 0)) & 255
        q ^= q << 1; q ^= q << 2; q ^= q << 4; q &= 255
        if q & 128: q ^= 9
        r = q ^ (q << 1 | q >> 7) ^ (q << 2 | q >> 6) ^ (q << 3 | q >> 5) ^ (q << 4 | q >> 4)
        box[p] = (r ^ 0x63) & 255
        if p == 1: break
    box[0] = 0x63
    return box


SBOX = tables()


def double(b): return (b << 1 ^ (0x1b if b & 128 else 0)) & 255


def expand(key):
    words, rcon = [key[i:i + 4] for i in range(0, 32, 4)], 1
    for i in range(8, 60):
        w = words[-1]
        if i % 8 == 0:
            w = bytes(SBOX[b] for b in w[1:] + w[:1]); w = bytes([w[0] ^ rcon]) + w[1:]; rcon = double(rcon)
        elif i % 8 == 4: w = bytes(SBOX[b] for b in w)
        words.append(bytes(a ^ b for a, b in zip(words[-8], w)))
    return [b"".join(words[i:i + 4]) for i in range(0, 60, 4)]


def block(keys, data):
    s = bytes(a ^ b for a, b in zip(data, keys[0]))
    for n in range(1, 15):
        s = bytes(SBOX[s[(i + 4 * (i % 4)) % 16]] for i in range(16))
        if n < 14:
            mixed = bytearray()
            for c in range(0, 16, 4):
                w = s[c:c + 4]
                mixed += bytes(double(w[i]) ^ double(w[(i + 1) % 4]) ^ w[(i + 1) % 4] ^ w[(i + 2) % 4] ^ w[(i + 3) % 4] for i in range(4))
            s = bytes(mixed)
        s = bytes(a ^ b for a, b in zip(s, keys[n]))
    return s


def times(a, b):
    product = 0
    for i in range(127, -1, -1):
        if b >> i & 1: product ^= a
        a = a >> 1 ^ (0xe1 << 120 if a & 1 else 0)
    return product


def gcm(key, plain):
    keys, nonce = expand(key), bytes(12)
    h = int.from_bytes(block(keys, bytes(16)), "big")
    sealed = b"".join(
        bytes(a ^ b for a, b in zip(plain[i:i + 16], block(keys, nonce + (i // 16 + 2).to_bytes(4, "big")))) for i in range(0, len(plain), 16))
    y = 0
    for i in range(0, len(sealed), 16): y = times(y ^ int.from_bytes(sealed[i:i + 16], "big"), h)
    y = times(y ^ len(sealed) * 8, h)
    mask = int.from_bytes(block(keys, nonce + (1).to_bytes(4, "big")), "big")
    return sealed + (y ^ mask).to_bytes(16, "big")


assert gcm(bytes(32), bytes(16)).hex() == "cea7403d4d606b6e074ec5d3baf39d18" + "d0d1c8a799996bf0265b98b5d48ab919"  # SP 800-38D, case 14

# --- carry/1

CLASSES = [1024 * 4**n for n in range(6)]


def padded(message):
    size = next(c for c in CLASSES if c >= 4 + len(message))
    return len(message).to_bytes(4, "big") + message + bytes(size - 4 - len(message))


def key(kind, chain, keeper, once, shared, fresh=b""):
    salt = hashlib.sha256(b"parley/carry/1\n" + chain.encode()).digest()
    return hkdf(shared, salt, b"parley carry " + kind + b"\n" + keeper["key"] + keeper["x25519"] + once + fresh)


def case(chain, n, length):
    def made(text): return hashlib.sha256(f"{text} {n}".encode()).digest()
    secret, once_secret, fresh, fresh_news = made("keeper"), made("once"), made("fresh"), made("news")
    keeper = {"key": made("node"), "x25519": x25519(secret, BASE)}
    once = x25519(once_secret, BASE)
    shared = x25519(once_secret, keeper["x25519"])
    assert shared == x25519(secret, once)
    message = (made("message") * (length // 32 + 1))[:length]
    request = once + gcm(key(b"request", chain, keeper, once, shared), padded(message))
    answer = fresh + gcm(key(b"answer", chain, keeper, once, shared, fresh), padded(message[::-1]))
    news = fresh_news + gcm(key(b"news", chain, keeper, once, shared, fresh_news), padded(message[:40]))
    return {"chainId": chain, "key": keeper["key"].hex(), "x25519": keeper["x25519"].hex(), "secret": secret.hex(),
            "onceSecret": once_secret.hex(), "fresh": fresh.hex(), "freshNews": fresh_news.hex(), "message": message.hex(),
            "request": request.hex(), "answer": answer.hex(), "news": news.hex()}


cases = [case("parley-test", 1, 40), case("parley-test", 2, 1020), case("parley-other", 3, 1021)]
(HERE / "carry.json").write_text(json.dumps({"cases": cases}, indent=1) + "\n")
