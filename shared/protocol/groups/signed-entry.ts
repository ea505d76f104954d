// An entry with what proves it: the signature of a device, and the master key's word for that device. Whoever passes an entry on cannot
// change it, and who gets it needs no one to look its keys up.
import { type Codec, encode, tryDecode } from "#shared/codec/codec.ts";
import { record } from "#shared/codec/composites.ts";
import { bytesUpTo, hex } from "#shared/codec/scalars.ts";
import { groupEntrySignBytes, isCertified } from "#shared/protocol/mail/device-certificate.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { fromHex, toBase64, tryFromBase64 } from "#shared/util/bytes.ts";
import { MAX_ENTRY_BYTES, MAX_SIGNED_ENTRY_BYTES } from "./group-bounds.ts";
import { decodeEntry, type EntryHash, hashOfEntry, type LogEntry } from "./log-entry.ts";

/** What proves an entry. */
export interface EntryProof {
  readonly signingPub: PublicKeyHex;
  /** Hex: the master key's signature over the device's keys. */
  readonly certificate: string;
  /** Hex: the device's signature over the entry. */
  readonly signature: string;
}

/** An entry that was decoded; its proof may still be wrong. */
export interface SignedEntry extends EntryProof {
  readonly hash: EntryHash;
  readonly entry: LogEntry;
  readonly bytes: Uint8Array;
  /** Base64 of all of it, as it is stored and sent. */
  readonly text: string;
}

const MAX_TEXT_CHARS = 4 * Math.ceil(MAX_SIGNED_ENTRY_BYTES / 3);

const signed: Codec<EntryProof & { readonly bytes: Uint8Array }> = record({
  bytes: bytesUpTo(MAX_ENTRY_BYTES, 1),
  signingPub: hex(32),
  certificate: hex(64),
  signature: hex(64),
});

/** Base64 of an entry with its proof. */
export function encodeSignedEntry(bytes: Uint8Array, proof: EntryProof): string {
  return toBase64(encode(signed, { ...proof, bytes }));
}

/** The entry of a base64 text; undefined for anything else. Never throws. */
export function decodeSignedEntry(text: string): SignedEntry | undefined {
  const encoded = text.length > MAX_TEXT_CHARS ? undefined : tryFromBase64(text);
  const decoded = encoded && tryDecode(signed, encoded);
  if (decoded === undefined) return undefined;
  try {
    return { ...decoded, hash: hashOfEntry(decoded.bytes), entry: decodeEntry(decoded.bytes), text };
  } catch {
    return undefined;
  }
}

/**
 * True when the author's master key vouches for the device on one of the chains, and the device signed the entry there. `certified` collects
 * certificates that are right, so that many entries of one device cost one check of it.
 */
export function isGenuineEntry(
  { entry, bytes, signingPub, certificate, signature }: SignedEntry,
  chainIds: readonly string[],
  certified: Set<string> = new Set(),
): boolean {
  const { author, device } = entry;
  return chainIds.some((chainId) => {
    if (!verifyZip215(fromHex(signature), groupEntrySignBytes(chainId, bytes), fromHex(signingPub))) return false;
    const name = [chainId, author, device, signingPub, certificate].join(" ");
    if (!certified.has(name) && !isCertified(chainId, author, { devicePub: device, signingPub, certificate })) return false;
    certified.add(name);
    return true;
  });
}
