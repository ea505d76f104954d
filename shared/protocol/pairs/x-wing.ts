// X-Wing (draft-connolly-cfrg-xwing-kem): ML-KEM-768 and X25519 as one KEM. A secret stays one as long as either of them holds.
import { sha3_256, shake256 } from "@noble/hashes/sha3.js";
import { concatBytes, utf8 } from "#shared/util/bytes.ts";
import { type KemWork, X25519_BASE } from "./kem-ahead.ts";
import type { Encapsulation, KemPrimitives } from "./kem-primitives.ts";
import {
  ML_KEM_CIPHERTEXT_BYTES,
  ML_KEM_PUBLIC_BYTES,
  ML_KEM_SEED_BYTES,
  X_WING_CIPHERTEXT_BYTES,
  X_WING_PUBLIC_BYTES,
  X_WING_SECRET_BYTES,
  X25519_BYTES,
} from "./pair-bytes.ts";

/** XWingLabel of the draft. */
const LABEL = utf8("\\.//^\\");

/** Randomness of an encapsulation. */
export interface EncapsulationRandomness {
  /** Secret of the X25519 key that is used once, 32 bytes; wiped. */
  readonly x25519Secret: Uint8Array;
  /** Of ML-KEM, 32 bytes; without it the primitives draw it. */
  readonly mlKemMessage?: Uint8Array;
}

/** Public key of a secret one (expandDecapsulationKey of the draft). */
export function xWingPublicKey(kem: KemPrimitives, secretKey: Uint8Array): Uint8Array {
  const { mlKemSeed, x25519Secret } = expand(secretKey);
  const publicKey = concatBytes(kem.mlKemPublicKey(mlKemSeed), kem.x25519PublicKey(x25519Secret));
  wipe(mlKemSeed, x25519Secret);
  return publicKey;
}

/** A new secret for the holder of a public key. @throws RangeError for a key that is none. */
export function xWingEncapsulate(kem: KemPrimitives, publicKey: Uint8Array, randomness: EncapsulationRandomness): Encapsulation {
  if (publicKey.length !== X_WING_PUBLIC_BYTES) throw new RangeError(`An X-Wing key has ${X_WING_PUBLIC_BYTES} bytes`);
  const { x25519Secret, mlKemMessage } = randomness;
  const xPublic = publicKey.subarray(ML_KEM_PUBLIC_BYTES);
  const xCiphertext = kem.x25519PublicKey(x25519Secret);
  const xSecret = kem.x25519(x25519Secret, xPublic);
  wipe(x25519Secret);
  if (xSecret === undefined) throw new RangeError("The X25519 half of the key is of small order");
  const mlKem = kem.mlKemEncapsulate(publicKey.subarray(0, ML_KEM_PUBLIC_BYTES), mlKemMessage);
  const secret = combine(mlKem.secret, { xSecret, xCiphertext, xPublic });
  return { ciphertext: concatBytes(mlKem.ciphertext, xCiphertext), secret };
}

/** The secret of a ciphertext; undefined for one that cannot have been made for any key. */
export function xWingDecapsulate(kem: KemPrimitives, secretKey: Uint8Array, ciphertext: Uint8Array): Uint8Array | undefined {
  if (ciphertext.length !== X_WING_CIPHERTEXT_BYTES) return undefined;
  const { mlKemSeed, x25519Secret } = expand(secretKey);
  const xCiphertext = ciphertext.subarray(ML_KEM_CIPHERTEXT_BYTES);
  const xSecret = kem.x25519(x25519Secret, xCiphertext);
  const mlKemSecret = kem.mlKemDecapsulate(mlKemSeed, ciphertext.subarray(0, ML_KEM_CIPHERTEXT_BYTES));
  const xPublic = kem.x25519PublicKey(x25519Secret);
  wipe(mlKemSeed, x25519Secret);
  return xSecret && combine(mlKemSecret, { xSecret, xCiphertext, xPublic });
}

/** What {@link xWingDecapsulate} computes with primitives. Nothing for a ciphertext of another length. */
export function decapsulationWork(secretKey: Uint8Array, ciphertext: Uint8Array): Required<Omit<KemWork, "encapsulations">> {
  if (ciphertext.length !== X_WING_CIPHERTEXT_BYTES) return { agreements: [], decapsulations: [], secrets: [] };
  const { mlKemSeed, x25519Secret } = expand(secretKey);
  const publicKeys = [ciphertext.subarray(ML_KEM_CIPHERTEXT_BYTES), X25519_BASE];
  return {
    agreements: publicKeys.map((publicKey) => ({ secretKey: x25519Secret, publicKey })),
    decapsulations: [{ seed: mlKemSeed, ciphertext: ciphertext.subarray(0, ML_KEM_CIPHERTEXT_BYTES) }],
    secrets: [mlKemSeed, x25519Secret],
  };
}

/** Work of sealing: its secrets are needed again. */
export type SealingWork = Required<Pick<KemWork, "agreements" | "encapsulations">>;

/** What {@link xWingEncapsulate} computes with primitives. */
export function encapsulationWork(publicKey: Uint8Array, x25519Secret: Uint8Array): SealingWork {
  const publicKeys = [publicKey.subarray(ML_KEM_PUBLIC_BYTES), X25519_BASE];
  return {
    agreements: publicKeys.map((other) => ({ secretKey: x25519Secret, publicKey: other })),
    encapsulations: [publicKey.subarray(0, ML_KEM_PUBLIC_BYTES)],
  };
}

/** Wipes both secrets. */
function combine(
  mlKemSecret: Uint8Array,
  { xSecret, xCiphertext, xPublic }: { readonly xSecret: Uint8Array; readonly xCiphertext: Uint8Array; readonly xPublic: Uint8Array },
): Uint8Array {
  const input = concatBytes(mlKemSecret, xSecret, xCiphertext, xPublic, LABEL);
  const secret = sha3_256(input);
  wipe(mlKemSecret, xSecret, input);
  return secret;
}

function expand(secretKey: Uint8Array): { readonly mlKemSeed: Uint8Array; readonly x25519Secret: Uint8Array } {
  if (secretKey.length !== X_WING_SECRET_BYTES) throw new RangeError(`An X-Wing secret has ${X_WING_SECRET_BYTES} bytes`);
  const expanded = shake256(secretKey, { dkLen: ML_KEM_SEED_BYTES + X25519_BYTES });
  return { mlKemSeed: expanded.subarray(0, ML_KEM_SEED_BYTES), x25519Secret: expanded.subarray(ML_KEM_SEED_BYTES) };
}

function wipe(...secrets: readonly Uint8Array[]): void {
  for (const secret of secrets) secret.fill(0);
}
