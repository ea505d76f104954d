// Short-lived keys of one device. Others seal to the newest one they know; when its secret is destroyed, nothing opens what was sealed
// to it, not even who later steals every other key. A key is made each day and chosen by others for a week after. It is destroyed when
// no mailbox can hold anything for it any more, and this device has seen its own mailbox empty since: a device that was switched off
// first reads what waited for it.
import type { SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import { type BoxKeyPair, boxKeyPair, type X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import { type EpochSecret, wipe } from "../vault/vault.ts";

/** A new key is made this long after the last one, seconds. */
export const EPOCH_ROTATION_S = 86_400;
/** Others may seal to a key this long, seconds. */
export const EPOCH_LIFETIME_S = 7 * 86_400;
/** A mailbox stores an envelope this long, seconds: the secret lives so much longer than the key. */
export const EPOCH_GRACE_S = 30 * 86_400;
/** So long after its time a key is destroyed in any case: what was sealed to it late has left every mailbox by then. */
export const EPOCH_LIMIT_S = 2 * EPOCH_GRACE_S;
/** Bytes of the nonce that say to which key a box is sealed. */
export const HINT_BYTES = 4;

const SECRET_BYTES = 32;

interface Epoch {
  readonly keys: BoxKeyPair;
  readonly hint: string;
  /** Unix seconds. */
  readonly notAfter: number;
}

/** First bytes of the nonce of a box that is sealed to an epoch key. */
export function epochHint(epochPub: X25519KeyHex): Uint8Array {
  return sha256(fromHex(epochPub)).subarray(0, HINT_BYTES);
}

/** All living epoch keys of a device. */
export class EpochKeys {
  #epochs: readonly Epoch[];
  readonly #random: RandomBytes;

  constructor(secrets: readonly EpochSecret[], random: RandomBytes) {
    this.#random = random;
    this.#epochs = secrets.map(({ secret, notAfter }) => epochOf(secret, notAfter));
  }

  /** Makes a new key when it is time, and destroys those that are past every limit; true when something has to be stored. */
  renew(nowS: number): boolean {
    const hasDestroyed = this.#destroyBefore(nowS - EPOCH_LIMIT_S);
    const needsKey = this.#needsKey(nowS);
    if (needsKey) this.#epochs = [...this.#epochs, epochOf(this.#random(SECRET_BYTES), nowS + EPOCH_LIFETIME_S)];
    return needsKey || hasDestroyed;
  }

  /** True when {@link renew} would change something. */
  isDue(nowS: number): boolean {
    return this.#needsKey(nowS) || this.#deadBefore(nowS - EPOCH_LIMIT_S).length > 0;
  }

  /** The mailbox has just been empty: destroys the keys that nothing is sealed to any more; true when something has to be stored. */
  retire(nowS: number): boolean {
    return this.#destroyBefore(nowS - EPOCH_GRACE_S);
  }

  /** True when {@link retire} would change something. */
  hasRetired(nowS: number): boolean {
    return this.#deadBefore(nowS - EPOCH_GRACE_S).length > 0;
  }

  /** The newest key, for others; undefined before the first {@link renew}. */
  get prekey(): Pick<SignedPrekey, "epochPub" | "notAfter"> | undefined {
    const newest = this.#newest();
    return newest && { epochPub: toHex(newest.keys.publicKey), notAfter: newest.notAfter };
  }

  /** Secret of the key that a nonce hints at. */
  secretFor(nonce: Uint8Array): Uint8Array | undefined {
    const hint = toHex(nonce.subarray(0, HINT_BYTES));
    return this.#epochs.find((epoch) => epoch.hint === hint)?.keys.secretKey;
  }

  /** Copies of the secrets, to be sealed into the vault. */
  exportSecrets(): readonly EpochSecret[] {
    return this.#epochs.map(({ keys, notAfter }) => ({ secret: keys.secretKey.slice(), notAfter }));
  }

  close(): void {
    wipe(...this.#epochs.map(({ keys }) => keys.secretKey));
    this.#epochs = [];
  }

  #destroyBefore(timeS: number): boolean {
    const dead = this.#deadBefore(timeS);
    for (const { keys } of dead) wipe(keys.secretKey);
    if (dead.length > 0) this.#epochs = this.#epochs.filter((epoch) => !dead.includes(epoch));
    return dead.length > 0;
  }

  #deadBefore(timeS: number): readonly Epoch[] {
    return this.#epochs.filter(({ notAfter }) => notAfter < timeS);
  }

  #needsKey(nowS: number): boolean {
    const newest = this.#newest();
    return newest === undefined || newest.notAfter - EPOCH_LIFETIME_S + EPOCH_ROTATION_S <= nowS;
  }

  #newest(): Epoch | undefined {
    return this.#epochs.toSorted((a, b) => b.notAfter - a.notAfter)[0];
  }
}

function epochOf(secret: Uint8Array, notAfter: number): Epoch {
  const keys = boxKeyPair(secret);
  return { keys, hint: toHex(epochHint(toHex(keys.publicKey))), notAfter };
}
