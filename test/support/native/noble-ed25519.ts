// @noble/ed25519 with keys and signatures by the runtime's OpenSSL: for tests in which many things are signed. What checks them is the
// library's own. It is loaded past the alias that put this file in its place.
import { type KeyObject, sign as signNatively } from "node:crypto";
import { createRequire } from "node:module";
import type * as Library from "@noble/ed25519";
import { nativePrivateKey, nativePublicKey } from "#node/crypto/native-key.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";

/** Keys remembered, oldest first: reading one costs more than a signature. */
const MAX_KEYS = 256;

const library = createRequire(import.meta.url)("@noble/ed25519") as typeof Library;
const privateKeys = new Map<string, KeyObject>();
const publicKeys = new Map<string, Uint8Array>();

/** The library's own. */
export const { etc, hashes, Point, utils, verify } = library;

/** Public key (32 bytes) of a 32-byte seed. */
export const getPublicKey: typeof Library.getPublicKey = (seed) =>
  new Uint8Array(remembered(publicKeys, seed, () => fromHex(nativePublicKey(seed))));

/** Signature (64 bytes) of a message under a 32-byte seed. */
export const sign: typeof Library.sign = (message, seed) =>
  new Uint8Array(
    signNatively(
      null,
      message,
      remembered(privateKeys, seed, () => nativePrivateKey(seed)),
    ),
  );

function remembered<T>(keys: Map<string, T>, seed: Uint8Array, make: () => T): T {
  const name = toHex(seed);
  const key = keys.get(name) ?? make();
  keys.set(name, key);
  const [oldest] = keys.keys();
  if (keys.size > MAX_KEYS && oldest !== undefined) keys.delete(oldest);
  return key;
}
