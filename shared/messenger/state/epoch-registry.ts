// Short-lived keys of the devices one writes to, and one's own. They come signed inside contents, so no relay can take them
// out or put others in; an older key never replaces a newer one. A device that has shown one never gets a message sealed to its lasting
// key again: that would give up what the short-lived keys are for.

import type { SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** A prekey, and whose device has shown it: absent where an earlier version stored it, which kept contacts' keys alone for long. */
export type KnownPrekey = SignedPrekey & { readonly owner?: PublicKeyHex };

/** Newest prekey of each device. */
export type PrekeysByDevice = Readonly<Record<X25519KeyHex, KnownPrekey>>;

/** Which key a message to a device is sealed to. */
export type SealingKey =
  /** Nothing is known of short-lived keys of this device: its lasting one. */
  | { readonly kind: "lasting" }
  | { readonly kind: "epoch"; readonly epochPub: X25519KeyHex }
  /** Its last one may have been destroyed: the message waits until it shows another. */
  | { readonly kind: "stale" };

/**
 * So long after its time a key is still sealed to, seconds: a day less than devices keep its secret at least. A device that is away keeps
 * it longer, as it reads its mail before it destroys anything.
 */
export const SEALABLE_S = 29 * 86_400;

/** Prekeys of one run. */
export class EpochRegistry {
  #own: SignedPrekey | null;
  #prekeys: PrekeysByDevice;

  constructor(own: SignedPrekey | null, prekeys: PrekeysByDevice) {
    this.#own = own;
    this.#prekeys = prekeys;
  }

  /** What goes out with every content; null while the wallet has not vouched for this device yet. */
  get own(): SignedPrekey | null {
    return this.#own;
  }

  setOwn(prekey: SignedPrekey | null): void {
    this.#own = prekey;
  }

  get prekeys(): PrekeysByDevice {
    return this.#prekeys;
  }

  setPrekeys(prekeys: PrekeysByDevice): void {
    this.#prekeys = prekeys;
  }

  keyFor(device: X25519KeyHex, nowS: number): SealingKey {
    const prekey = this.#prekeys[device];
    if (prekey === undefined) return { kind: "lasting" };
    return nowS <= prekey.notAfter + SEALABLE_S ? { kind: "epoch", epochPub: prekey.epochPub } : { kind: "stale" };
  }
}
