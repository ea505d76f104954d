// Short-lived keys of one device. Others seal to the newest one they know; when its secret is destroyed, nothing opens what was sealed
// to it, not even who later steals every other key. A key is made each day and chosen by others for a week after. It is destroyed when
// no mailbox can hold anything for it any more, and this device has seen its own mailbox empty since: a device that was switched off
// first reads what waited for it. One clock that is wrong destroys nothing: the device's own and the chain's both have to have moved.
import { PREKEY_APART_S, type SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import { type BoxKeyPair, boxKeyPair, type X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import { type EpochSecret, wipe } from "../vault/vault-secrets.ts";

/** A new key is made this long after the last one, seconds. */
export const EPOCH_ROTATION_S = PREKEY_APART_S;
/** Others may seal to a key this long, seconds. */
export const EPOCH_LIFETIME_S = 7 * 86_400;
/** A mailbox stores an envelope this long, seconds: the secret lives so much longer than the key. */
export const EPOCH_GRACE_S = 30 * 86_400;
/** So long after its time a key is destroyed in any case: what was sealed to it late has left every mailbox by then. */
export const EPOCH_LIMIT_S = 2 * EPOCH_GRACE_S;
/** Bytes of the nonce that say to which key a box is sealed. */
export const HINT_BYTES = 4;

const SECRET_BYTES = 32;

/** Living keys of a device: a clock that jumps makes more than one a day. */
const MAX_EPOCHS = 128;

/** What time it is, unix seconds. */
export interface EpochTime {
  /** By the device's own clock. */
  readonly ownS: number;
  /** By the newest block; undefined while none is known, and then nothing is destroyed. */
  readonly blockS?: number | undefined;
}

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
  renew(time: EpochTime): boolean {
    const hasDestroyed = this.#destroy(this.#dead(time, EPOCH_LIMIT_S));
    const needsKey = this.#needsKey(time);
    if (needsKey) this.#epochs = [...this.#epochs, epochOf(this.#random(SECRET_BYTES), this.#nextNotAfter(time))];
    return this.#destroy(this.#epochs.slice(0, -MAX_EPOCHS)) || needsKey || hasDestroyed;
  }

  /** True when {@link renew} would change something. */
  isDue(time: EpochTime): boolean {
    return this.#needsKey(time) || this.#dead(time, EPOCH_LIMIT_S).length > 0;
  }

  /** The mailbox has just been empty: destroys the keys that nothing is sealed to any more; true when something has to be stored. */
  retire(time: EpochTime): boolean {
    return this.#destroy(this.#dead(time, EPOCH_GRACE_S));
  }

  /** True when {@link retire} would change something. */
  hasRetired(time: EpochTime): boolean {
    return this.#dead(time, EPOCH_GRACE_S).length > 0;
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

  #destroy(dead: readonly Epoch[]): boolean {
    for (const { keys } of dead) wipe(keys.secretKey);
    if (dead.length > 0) this.#epochs = this.#epochs.filter((epoch) => !dead.includes(epoch));
    return dead.length > 0;
  }

  /** Keys whose time was over so long ago by both clocks. One that was made by a clock far ahead goes with those made after it. */
  #dead({ ownS, blockS }: EpochTime, graceS: number): readonly Epoch[] {
    if (blockS === undefined) return [];
    const beforeS = Math.min(ownS, blockS) - graceS;
    const last = this.#epochs.findLastIndex(({ notAfter }) => notAfter < beforeS);
    return this.#epochs.slice(0, last + 1);
  }

  #needsKey(time: EpochTime): boolean {
    const newest = this.#newest();
    if (newest === undefined) return true;
    const ageS = presentS(time) - (newest.notAfter - EPOCH_LIFETIME_S);
    // The newest is from a time to come: that clock, or this one, was wrong. With a block to go by it is known which.
    return ageS >= EPOCH_ROTATION_S || (time.blockS !== undefined && ageS < -EPOCH_ROTATION_S);
  }

  /** A day from every other key, also when one of a wrong clock lies between: others take two that are closer for those of a copy. */
  #nextNotAfter(time: EpochTime): number {
    const notAfter = presentS(time) + EPOCH_LIFETIME_S;
    const before = this.#epochs.map((epoch) => epoch.notAfter).filter((other) => other <= notAfter);
    return Math.max(notAfter, ...before.map((other) => other + EPOCH_ROTATION_S));
  }

  #newest(): Epoch | undefined {
    return this.#epochs.at(-1);
  }
}

/** What a new key counts from: a clock that is behind its chain is wrong. */
function presentS({ ownS, blockS = 0 }: EpochTime): number {
  return Math.max(ownS, blockS);
}

function epochOf(secret: Uint8Array, notAfter: number): Epoch {
  const keys = boxKeyPair(secret);
  return { keys, hint: toHex(epochHint(toHex(keys.publicKey))), notAfter };
}
