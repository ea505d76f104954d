// TweetNaCl with its X25519 by the runtime's OpenSSL, which takes a tenth of the time: for tests in which many people exchange mail.
// The package is loaded past the alias that put this file in its place.
import { createRequire } from "node:module";
import type Nacl from "tweetnacl";
import { nativeKem } from "#electron/keyring/native-kem.ts";

const nacl = createRequire(import.meta.url)("tweetnacl") as typeof Nacl;
const kem = nativeKem();
/** Public keys of secrets: devices ask again and again for those of all their keys. */
const known = new Map<string, Uint8Array>();
const MOST_KNOWN = 8_192;

function publicKeyOf(secretKey: Uint8Array, find: (secret: Uint8Array) => Uint8Array): Uint8Array {
  const name = Buffer.from(secretKey).toString("latin1");
  const publicKey = known.get(name) ?? find(secretKey);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(name, publicKey);
  return publicKey.slice();
}

/** As the package exports it; the package itself where the runtime has no such primitives. */
const native: typeof Nacl =
  kem === undefined
    ? nacl
    : {
        ...nacl,
        // Of a key of small order the script gives zeros, and OpenSSL nothing.
        scalarMult: Object.assign(
          (secretKey: Uint8Array, publicKey: Uint8Array) =>
            kem.x25519(secretKey, publicKey) ?? new Uint8Array(nacl.scalarMult.groupElementLength),
          nacl.scalarMult,
        ),
        box: Object.assign(nacl.box.bind(nacl), nacl.box, {
          keyPair: Object.assign(() => nacl.box.keyPair(), {
            fromSecretKey: (secretKey: Uint8Array) => ({
              publicKey: publicKeyOf(secretKey, kem.x25519PublicKey),
              secretKey: new Uint8Array(secretKey),
            }),
          }),
        }),
      };
export default native;
