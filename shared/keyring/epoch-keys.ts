// Short-lived keys of one device. Others seal to the newest one they know; when its secret is destroyed, nobody opens what was sealed
// to it, not even who later steals every other key. A key is made each day, used by others for a week after, and destroyed when no
// mailbox can hold anything for it any more.
import { type BoxKeyPair, boxKeyPair, type X25519KeyHex } from "#shared/protocol/envelope.ts";
import { sha256 } from "#shared/protocol/hash.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { EpochCard } from "./keyring-api.ts";
import { type EpochSecret, wipe } from "./vault.ts";

/** A new key is made this long after the last one, seconds. */
export const EPOCH_ROTATION_S = 86_400;
/** Others may seal to a key this long, seconds. */
export const EPOCH_LIFETIME_S = 7 * 86_400;
/** A mailbox keeps an envelope this long, seconds: the secret lives so much longer than the key. */
export const EPOCH_GRACE_S = 30 * 86_400;
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

  /** Makes and destroys what is due; true when something changed and has to be stored. */
  renew(nowS: number): boolean {
    const dead = this.#epochs.filter(({ notAfter }) => notAfter + EPOCH_GRACE_S < nowS);
    const newest = this.#newest();
    const isDue = newest === undefined || newest.notAfter - EPOCH_LIFETIME_S + EPOCH_ROTATION_S <= nowS;
    for (const { keys } of dead) wipe(keys.secretKey);
    const living = this.#epochs.filter((epoch) => !dead.includes(epoch));
    this.#epochs = isDue ? [...living, epochOf(this.#random(SECRET_BYTES), nowS + EPOCH_LIFETIME_S)] : living;
    return isDue || dead.length > 0;
  }

  /** The newest key, for others; undefined before the first {@link renew}. */
  get card(): EpochCard | undefined {
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

  #newest(): Epoch | undefined {
    return this.#epochs.toSorted((a, b) => b.notAfter - a.notAfter)[0];
  }
}

function epochOf(secret: Uint8Array, notAfter: number): Epoch {
  const keys = boxKeyPair(secret);
  return { keys, hint: toHex(epochHint(toHex(keys.publicKey))), notAfter };
}
