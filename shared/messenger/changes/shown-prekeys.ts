// What devices show of short-lived keys: which of them are stored, and which only a copy of a device can have made. Signatures are verified
// here, so this part is loaded with the first key that is shown.

import { isGenuinePrekey, PREKEY_APART_S, type SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { KnownPrekey, PrekeysByDevice } from "../state/epoch-registry.ts";

/** A prekey and where it came from. */
export interface ShownPrekey {
  readonly chainId: string;
  readonly from: PublicKeyHex;
  readonly device: X25519KeyHex;
  readonly prekey: SignedPrekey;
  readonly nowS: number;
  /** True for contacts, people of shared groups and oneself: they make room for no one else. */
  readonly isKnown: (person: PublicKeyHex) => boolean;
}

/** Devices whose prekeys are stored; of strangers' ones, and then of all, the one that expires first makes room. */
export const MAX_PREKEYS = 4_096;
/** Devices of one person whose prekeys are stored. */
export const MAX_PREKEYS_PER_PERSON = 64;
/**
 * A prekey may not last longer than this, seconds: the week for which devices make one, and two days for clocks. A thief who signs one with
 * a stolen secret outdoes the owner's own ones for those two days only.
 */
const MAX_LIFETIME_S = 9 * 86_400;

/** The prekeys with a new one, or the same when it is not newer or not genuine. */
export function withSignedPrekey(prekeys: PrekeysByDevice, { chainId, from, device, prekey, nowS, isKnown }: ShownPrekey): PrekeysByDevice {
  const known = prekeys[device];
  const isValid = prekey.notAfter > nowS && prekey.notAfter <= nowS + MAX_LIFETIME_S;
  const isNewer = isValid && (known === undefined || prekey.notAfter > known.notAfter || known.notAfter > nowS + MAX_LIFETIME_S);
  if (!isNewer || !isGenuinePrekey(chainId, from, { devicePub: device, prekey })) return prekeys;
  const next = { ...prekeys, [device]: { ...prekey, owner: from } };
  const entries = Object.entries(next);
  const ofPerson = entries.filter(([, { owner }]) => owner === from);
  if (ofPerson.length > MAX_PREKEYS_PER_PERSON) return without(next, ofPerson);
  if (entries.length <= MAX_PREKEYS) return next;
  const ofStrangers = entries.filter(([, { owner }]) => owner !== undefined && !isKnown(owner));
  return without(next, ofStrangers.length > 0 ? ofStrangers : entries);
}

/**
 * True when a device shows a prekey that it cannot have made if it made the one that is known: its secrets are in two places, or were set
 * back to those of another day. Whoever signs for a device beside it comes within a day of its own keys sooner or later.
 */
export function isOfCopy(prekeys: PrekeysByDevice, { chainId, from, device, prekey }: Omit<ShownPrekey, "nowS" | "isKnown">): boolean {
  const known = prekeys[device];
  if (known === undefined || known.epochPub === prekey.epochPub || Math.abs(known.notAfter - prekey.notAfter) >= PREKEY_APART_S)
    return false;
  return isGenuinePrekey(chainId, from, { devicePub: device, prekey });
}

/** All but the one of some that expires first. */
function without(prekeys: PrekeysByDevice, some: readonly (readonly [X25519KeyHex, KnownPrekey])[]): PrekeysByDevice {
  const first = some.reduce((earliest, entry) => (entry[1].notAfter < earliest[1].notAfter ? entry : earliest));
  return Object.fromEntries(Object.entries(prekeys).filter(([device]) => device !== first[0]));
}
