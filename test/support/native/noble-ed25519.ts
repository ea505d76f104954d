// @noble/ed25519 with keys and signatures by the runtime's OpenSSL: for tests in which many things are signed. What checks them is the
// library's own. It is loaded past the alias that put this file in its place.
import { sign as signNatively } from "node:crypto";
import { createRequire } from "node:module";
import type * as Library from "@noble/ed25519";
import { nativePrivateKey, nativePublicKey } from "#node/crypto/native-key.ts";
import { fromHex } from "#shared/util/bytes.ts";

const library = createRequire(import.meta.url)("@noble/ed25519") as typeof Library;

/** The library's own. */
export const { etc, hashes, Point, utils, verify } = library;

/** Public key (32 bytes) of a 32-byte seed. */
export const getPublicKey: typeof Library.getPublicKey = (seed) => new Uint8Array(fromHex(nativePublicKey(seed)));

/** Signature (64 bytes) of a message under a 32-byte seed. */
export const sign: typeof Library.sign = (message, seed) => new Uint8Array(signNatively(null, message, nativePrivateKey(seed)));
