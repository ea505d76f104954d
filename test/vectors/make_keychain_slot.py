#!/usr/bin/env python3
"""Makes keychain-slot.json with nothing of Parley: the header of vault.json, a CBOR writer of its own (RFC 8949 section 4.2.1) and
ChaCha20-Poly1305 of OpenSSL (Debian: apt-get install python3-cryptography), made XChaCha by HChaCha20 from a block of its key stream."""
import hashlib, json, pathlib, struct
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

HERE = pathlib.Path(__file__).parent


def head(major, n):
    if n < 24: return bytes([major << 5 | n])
    for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if n < 1 << 8 * size: return bytes([major << 5 | code]) + n.to_bytes(size, "big")


def cbor(v):
    if isinstance(v, int): return head(0, v)
    if isinstance(v, bytes): return head(2, len(v)) + v
    if isinstance(v, str): return head(3, len(v.encode())) + v.encode()
    return head(5, len(v)) + b"".join(k + x for k, x in sorted((cbor(k), cbor(x)) for k, x in v.items()))


def hchacha20(key, nonce):
    block = Cipher(algorithms.ChaCha20(key, nonce), None).encryptor().update(bytes(64))
    state = struct.unpack("<16I", b"expand 32-byte k" + key + nonce)
    words = [(out - start) % 2 ** 32 for out, start in zip(struct.unpack("<16I", block), state)]
    return struct.pack("<8I", *words[:4], *words[12:])


def xchacha(key, nonce, plaintext, associated):
    return nonce + ChaCha20Poly1305(hchacha20(key, nonce[:16])).encrypt(bytes(4) + nonce[16:], plaintext, associated)


header = bytes.fromhex(json.loads((HERE / "vault.json").read_text())["header_bytes"])
wrapping_key, data_key, nonce, wrapped = bytes(range(32)), b"\x42" * 32, bytes(range(64, 88)), b"as the keychain sealed it"
slot = xchacha(wrapping_key, nonce, data_key, header + b"keychain slot")
body = {"generation": 8, "password_slot": b"\x01\x02", "phrase_slot": b"\x03", "wallet": b"\x04", "device": b"\x05",
        "keychain": {"slot": slot, "wrapped": wrapped}}
content = header + cbor(body)
vector = {"source": "make_keychain_slot.py", "wrapping_key": wrapping_key.hex(), "data_key": data_key.hex(), "wrapped": wrapped.hex(),
          "slot": slot.hex(), "vault_bytes": (content + hashlib.sha256(content).digest()).hex()}
(HERE / "keychain-slot.json").write_text(json.dumps(vector, indent=2) + "\n")
