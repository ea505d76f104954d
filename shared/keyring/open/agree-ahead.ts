// Agreements of X25519 that a host makes on other threads before they are used; loaded with the first mail that is opened.
import { x25519 } from "#shared/protocol/mail/envelope.ts";
import { KemAhead, type KemWork, type LateKem } from "#shared/protocol/pairs/kem-ahead.ts";
import type { Agree } from "../devices/device-box.ts";

/** Has work made and then uses it; what could not be made is made while it is used. */
export type AgreeAhead = <T>(work: KemWork, use: (agree: Agree) => T) => Promise<T>;

/** By the late primitives of a host. */
export function agreeAheadBy(late: LateKem): AgreeAhead {
  return async (work, use) => {
    const batch = new KemAhead(NO_ML_KEM);
    try {
      await batch.prepare(late, work);
      return use((secretKey, publicKey) => batch.x25519(secretKey, publicKey));
    } finally {
      batch.wipe();
    }
  };
}

const none = (): never => {
  throw new RangeError("Boxes have no ML-KEM");
};

const NO_ML_KEM = { mlKemPublicKey: none, mlKemEncapsulate: none, mlKemDecapsulate: none, x25519PublicKey: none, x25519 };
