// Agreements and ML-KEM that a runtime computes natively, on threads of its own, before they are used: what uses them stays synchronous.
// One batch: what repeats in it is computed once, and all of it is wiped at its end.
import { equalBytes, toHex } from "#shared/util/bytes.ts";
import type { Encapsulation, KemPrimitives, MlKemKey } from "./kem-primitives.ts";

/** Primitives that respond later. Each may reject for any of its inputs: it is then computed here. */
export interface LateKem {
  /** Raw X25519 secrets of one secret key with several public ones, in order. */
  x25519(secretKey: Uint8Array, publicKeys: readonly Uint8Array[]): Promise<readonly Uint8Array[]>;
  /** Absent where the runtime has no ML-KEM. */
  readonly mlKem?:
    | {
        encapsulate(publicKey: Uint8Array): Promise<Encapsulation>;
        /** Secrets of ciphertexts for the key of one seed, in order. */
        decapsulate(seed: Uint8Array, ciphertexts: readonly Uint8Array[]): Promise<readonly Uint8Array[]>;
      }
    | undefined;
}

/** What will be computed, as far as that is known before. Nothing of it is kept beyond {@link KemAhead.wipe}. */
export interface KemWork {
  readonly agreements: readonly { readonly secretKey: Uint8Array; readonly publicKey: Uint8Array }[];
  readonly decapsulations?: readonly { readonly seed: Uint8Array; readonly ciphertext: Uint8Array }[];
  /** Public keys of ML-KEM. */
  readonly encapsulations?: readonly Uint8Array[];
  /** Secrets among these that were made for this alone: wiped as soon as the work is taken. */
  readonly secrets?: readonly Uint8Array[];
}

/** The public key that makes an agreement the public key of the other side: u = 9. */
export const X25519_BASE: Uint8Array = Uint8Array.of(9, ...new Uint8Array(31));

interface Known {
  /** A secret key, or a seed: a copy. */
  readonly secret: Uint8Array;
  readonly result: Uint8Array;
}

/** Primitives over others. Wiped after use. */
export class KemAhead implements KemPrimitives {
  readonly #kem: KemPrimitives;
  /** By public key and by ciphertext, as a text: secrets never become one, as texts cannot be wiped. */
  readonly #agreed = new Map<string, Known[]>();
  readonly #decapsulated = new Map<string, Known[]>();
  readonly #encapsulated = new Map<string, Encapsulation[]>();
  readonly #mlKemKeys: { readonly seed: Uint8Array; readonly key: MlKemKey }[] = [];

  constructor(kem: KemPrimitives) {
    this.#kem = kem;
  }

  /** Has work computed elsewhere. Never rejects: what fails is computed here, when it is used. */
  async prepare(late: LateKem, { agreements, decapsulations = [], encapsulations = [], secrets = [] }: KemWork): Promise<void> {
    const { mlKem } = late;
    const agreed = grouped(agreements.map(({ secretKey, publicKey }) => ({ secret: secretKey, other: publicKey }))).map((group) =>
      noting(this.#agreed, group, (secret, others) => late.x25519(secret, others)),
    );
    const ciphertexts = decapsulations.map(({ seed, ciphertext }) => ({ secret: seed, other: ciphertext }));
    const opened = mlKem
      ? grouped(ciphertexts).map((group) => noting(this.#decapsulated, group, (seed, others) => mlKem.decapsulate(seed, others)))
      : [];
    const sealed = mlKem ? encapsulations.map(async (publicKey) => this.#note(publicKey, await mlKem.encapsulate(publicKey))) : [];
    // Of each a copy is under way.
    wipe(...secrets);
    await Promise.allSettled([...agreed, ...opened, ...sealed]);
  }

  mlKemPublicKey(seed: Uint8Array): Uint8Array {
    return this.#kem.mlKemPublicKey(seed);
  }

  mlKemEncapsulate(publicKey: Uint8Array, message?: Uint8Array): Encapsulation {
    // Each is used once.
    const ready = message === undefined ? this.#encapsulated.get(toHex(publicKey))?.pop() : undefined;
    return ready ?? this.#kem.mlKemEncapsulate(publicKey, message);
  }

  mlKemDecapsulate(seed: Uint8Array, ciphertext: Uint8Array): Uint8Array {
    const known = find(this.#decapsulated, seed, ciphertext);
    return known ?? this.#mlKemKey(seed)?.decapsulate(ciphertext) ?? this.#kem.mlKemDecapsulate(seed, ciphertext);
  }

  x25519PublicKey(secretKey: Uint8Array): Uint8Array {
    return find(this.#agreed, secretKey, X25519_BASE) ?? note(this.#agreed, secretKey, X25519_BASE, this.#kem.x25519PublicKey(secretKey));
  }

  x25519(secretKey: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined {
    const known = find(this.#agreed, secretKey, publicKey);
    if (known !== undefined) return known;
    const secret = this.#kem.x25519(secretKey, publicKey);
    return secret && note(this.#agreed, secretKey, publicKey, secret);
  }

  /** Overwrites everything that is secret. */
  wipe(): void {
    for (const known of [...this.#agreed.values(), ...this.#decapsulated.values()].flat()) wipe(known.secret, known.result);
    for (const { secret } of [...this.#encapsulated.values()].flat()) wipe(secret);
    for (const { seed, key } of this.#mlKemKeys) {
      wipe(seed);
      key.wipe();
    }
    for (const map of [this.#agreed, this.#decapsulated, this.#encapsulated]) map.clear();
    this.#mlKemKeys.length = 0;
  }

  #note(publicKey: Uint8Array, encapsulation: Encapsulation): void {
    const name = toHex(publicKey);
    this.#encapsulated.set(name, [...(this.#encapsulated.get(name) ?? []), encapsulation]);
  }

  /** The key of a seed, made once. */
  #mlKemKey(seed: Uint8Array): MlKemKey | undefined {
    const known = this.#mlKemKeys.find((other) => equalBytes(other.seed, seed))?.key;
    if (known !== undefined || this.#kem.mlKemKey === undefined) return known;
    const key = this.#kem.mlKemKey(seed);
    this.#mlKemKeys.push({ seed: seed.slice(), key });
    return key;
  }
}

interface Group {
  readonly secret: Uint8Array;
  readonly others: Uint8Array[];
}

/** What belongs to one secret together, each once. */
function grouped(items: readonly { readonly secret: Uint8Array; readonly other: Uint8Array }[]): readonly Group[] {
  const groups: Group[] = [];
  for (const { secret, other } of items) {
    const group = groups.find((one) => equalBytes(one.secret, secret));
    if (group === undefined) groups.push({ secret: secret.slice(), others: [other] });
    else if (!group.others.some((one) => equalBytes(one, other))) group.others.push(other);
  }
  return groups;
}

async function noting(
  map: Map<string, Known[]>,
  { secret, others }: Group,
  compute: (secret: Uint8Array, others: readonly Uint8Array[]) => Promise<readonly Uint8Array[]>,
): Promise<void> {
  try {
    const results = await compute(secret, others);
    for (const [at, other] of others.entries()) {
      const result = results[at];
      // Of a key of small order nothing is known: what computes here says so.
      if (result?.some((byte) => byte !== 0) === true) wipe(note(map, secret, other, result), result);
    }
  } finally {
    wipe(secret);
  }
}

/** Remembers a copy, and gives back what it was given. */
function note(map: Map<string, Known[]>, secret: Uint8Array, other: Uint8Array, result: Uint8Array): Uint8Array {
  const name = toHex(other);
  map.set(name, [...(map.get(name) ?? []), { secret: secret.slice(), result: result.slice() }]);
  return result;
}

function find(map: Map<string, Known[]>, secret: Uint8Array, other: Uint8Array): Uint8Array | undefined {
  return map
    .get(toHex(other))
    ?.find((known) => equalBytes(known.secret, secret))
    ?.result.slice();
}

function wipe(...secrets: readonly Uint8Array[]): void {
  for (const secret of secrets) secret.fill(0);
}
