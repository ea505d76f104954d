// A public card of a device, signed as its keyring would.
import { certificateSignBytes } from "#shared/protocol/mail/device-certificate.ts";
import { encodePublicCard, type PublicCard, publicCardSignBytes } from "#shared/protocol/pairs/public-card.ts";
import { scriptKem } from "#shared/protocol/pairs/script-kem.ts";
import { xWingPublicKey } from "#shared/protocol/pairs/x-wing.ts";
import { ed25519PublicKey, signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";

/** Whose card it is, and when it was drawn. */
export interface CardSource {
  readonly chainId: string;
  readonly device: string;
  /** Of the person, 32 bytes. */
  readonly master: Uint8Array;
  readonly number: number;
  readonly height: number;
  /** Changed after it was signed. */
  readonly forged?: Partial<PublicCard>;
  /** Another one gives other keys. */
  readonly seed?: number;
}

/** Encoded. */
export function publicCardOf({ chainId, device, master, number, height, forged, seed = 1 }: CardSource): Uint8Array {
  const signing = new Uint8Array(32).fill(99);
  const [masterPub, signingPub] = [toHex(ed25519PublicKey(master)), toHex(ed25519PublicKey(signing))];
  const kem = xWingPublicKey(scriptKem, new Uint8Array(32).fill(seed));
  const x = scriptKem.x25519PublicKey(new Uint8Array(32).fill(seed));
  const unsigned = { number, height, instance: "05".repeat(8), kem, x, masterPub };
  const signature = toHex(signEd25519(publicCardSignBytes(chainId, device, unsigned), signing));
  const certificate = toHex(signEd25519(certificateSignBytes(chainId, { devicePub: device, signingPub }), master));
  return encodePublicCard({ ...unsigned, signingPub, certificate, signature, ...forged });
}
