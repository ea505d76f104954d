// What vouches for a device inside end-to-end content: the master key certifies a signing key of the device, and that key signs the
// device's short-lived keys. So a device shows its keys while the wallet is locked, and one that was linked without the phrase can too.
import { fromHex } from "#shared/util/bytes.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import { domainBytes } from "../primitives/domains.ts";
import { verifyZip215 } from "../primitives/signature.ts";
import type { X25519KeyHex } from "./envelope.ts";

/** Keys of one device: the X25519 key that the chain lists, and the Ed25519 key that it signs with. */
export interface DeviceKeys {
  readonly devicePub: X25519KeyHex;
  readonly signingPub: PublicKeyHex;
}

/** A short-lived key of a device, for those who write to it, with everything that proves it. */
export interface SignedPrekey {
  readonly epochPub: X25519KeyHex;
  /** Unix seconds until which it may be chosen. */
  readonly notAfter: number;
  readonly signingPub: PublicKeyHex;
  /** Hex: the master key's signature over the device's keys. */
  readonly certificate: string;
  /** Hex: the signing key's signature over the short-lived key. */
  readonly signature: string;
}

/**
 * A device makes its keys at least this long apart, seconds, by the times until which they may be chosen: two that are closer come of two
 * copies of its secrets.
 */
export const PREKEY_APART_S = 86_400;

/** Bytes that a master key signs for a device: domain `parley-device` over [device key, signing key]. */
export function certificateSignBytes(chainId: string, { devicePub, signingPub }: DeviceKeys): Uint8Array {
  return domainBytes("device", chainId, [fromHex(devicePub), fromHex(signingPub)]);
}

/** Bytes that a device signs for a short-lived key: domain `parley-epoch` over [device key, epoch key, unix seconds]. */
export function prekeySignBytes(
  chainId: string,
  { devicePub, epochPub, notAfter }: { readonly devicePub: X25519KeyHex } & Pick<SignedPrekey, "epochPub" | "notAfter">,
): Uint8Array {
  return domainBytes("epoch", chainId, [fromHex(devicePub), fromHex(epochPub), notAfter]);
}

/** Bytes that a device signs for an entry of a group's log: domain `parley-group` over the bytes of the entry. */
export function groupEntrySignBytes(chainId: string, entry: Uint8Array): Uint8Array {
  return domainBytes("group", chainId, entry);
}

/** True when a master key vouches for the device's keys. Never throws for hex of the right lengths. */
export function isCertified(chainId: string, masterPub: PublicKeyHex, keys: DeviceKeys & { readonly certificate: string }): boolean {
  return verifyZip215(fromHex(keys.certificate), certificateSignBytes(chainId, keys), fromHex(masterPub));
}

/** True when a signed prekey of a device is genuine: certified by the master key, signed by the device. */
export function isGenuinePrekey(
  chainId: string,
  masterPub: PublicKeyHex,
  { devicePub, prekey }: { readonly devicePub: X25519KeyHex; readonly prekey: SignedPrekey },
): boolean {
  const { signingPub, certificate, signature } = prekey;
  if (!verifyZip215(fromHex(signature), prekeySignBytes(chainId, { devicePub, ...prekey }), fromHex(signingPub))) return false;
  return isCertified(chainId, masterPub, { devicePub, signingPub, certificate });
}
