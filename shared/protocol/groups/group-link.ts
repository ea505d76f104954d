// The link by which people ask to be let into a group, and the request that its secret signs. The secret stands behind `#`, so no server gets it;
// all else that the link holds is what its maker claims: the log that comes must have the id that it names.

import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 as sha256Hash } from "@noble/hashes/sha2.js";
import { type Codec, encode, tryDecode } from "#shared/codec/codec.ts";
import { list, record, refined } from "#shared/codec/composites.ts";
import { bytes, hex, textUpTo } from "#shared/codec/scalars.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { domainBytes } from "#shared/protocol/primitives/domains.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { ed25519PublicKey, signEd25519, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { fromHex, toBase64, toHex, tryFromBase64, utf8 } from "#shared/util/bytes.ts";
import { MAX_GROUP_NAME_BYTES, MAX_LINK_ADMINS, MAX_LINK_CHARS } from "./group-bounds.ts";

/** Bytes of the secret of a link. */
export const LINK_SECRET_BYTES = 16;

const VERSION = 1;
const GROUP_ID_BYTES = 16;
const MARK_BYTES = 4;
const SEED_BYTES = 32;
const KEY_BYTES = 32;
const PREFIX = "parley:group#";
const LINK = /^parley:(?:\/\/)?group\/?#([A-Za-z0-9_-]+)$/i;

/** What a link holds. */
export interface GroupLink {
  /** Id of the group, 16 bytes in hex. */
  readonly group: string;
  readonly secret: Uint8Array;
  /** Master keys of those who answer, the first of them before the others. */
  readonly admins: readonly PublicKeyHex[];
  /** The name of the group, as the link claims. */
  readonly name: string;
}

/** A link that was read: `otherNetwork` for one that was made on another chain. */
export type ReadGroupLink =
  | { readonly kind: "link"; readonly link: GroupLink }
  | { readonly kind: "otherNetwork" }
  | { readonly kind: "none" };

/** What a person who asks has signed by the link's secret. */
export interface JoinRequest {
  /** Id of the group, 16 bytes in hex. */
  readonly group: string;
  /** Public key of the link. */
  readonly key: PublicKeyHex;
  /** Who asks. */
  readonly person: PublicKeyHex;
  /** Milliseconds since 1970 by their clock. */
  readonly at: number;
}

const parts: Codec<GroupLink & { readonly mark: Uint8Array }> = record(
  {
    mark: bytes(MARK_BYTES),
    group: hex(GROUP_ID_BYTES),
    secret: bytes(LINK_SECRET_BYTES),
    admins: refined(list(hex(KEY_BYTES), MAX_LINK_ADMINS, 1), (keys) => new Set(keys).size === keys.length, "people, each once"),
    name: textUpTo(MAX_GROUP_NAME_BYTES, 1),
  },
  VERSION,
);

/** The text of a link. @throws RangeError when a bound is exceeded. */
export function formatGroupLink(link: GroupLink, chainId: string): string {
  const base64 = toBase64(encode(parts, { ...link, mark: markOf(chainId) }));
  return PREFIX + base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The link of a text that holds it and nothing else but white space around it. Never throws. */
export function readGroupLink(text: string, chainId: string): ReadGroupLink {
  const trimmed = text.trim();
  const data = trimmed.length > MAX_LINK_CHARS ? undefined : LINK.exec(trimmed)?.[1];
  if (data === undefined) return { kind: "none" };
  const base64 = data.replaceAll("-", "+").replaceAll("_", "/");
  const encoded = tryFromBase64(base64.padEnd(4 * Math.ceil(base64.length / 4), "="));
  const decoded = encoded && tryDecode(parts, encoded);
  if (decoded === undefined) return { kind: "none" };
  const { mark, ...link } = decoded;
  return toHex(mark) === toHex(markOf(chainId)) ? { kind: "link", link } : { kind: "otherNetwork" };
}

/** The public key of a link: what its `invite` names. */
export function linkKey(link: Pick<GroupLink, "group" | "secret">, chainId: string): PublicKeyHex {
  return toHex(ed25519PublicKey(seedOf(link, chainId)));
}

/** Signature of a request by the link's secret, hex. */
export function signJoinRequest(link: Pick<GroupLink, "group" | "secret">, request: JoinRequest, chainId: string): string {
  return toHex(signEd25519(signBytes(request, chainId), seedOf(link, chainId)));
}

/** True for a request that the link's secret has signed. Never throws for hex of the right lengths. */
export function isGenuineJoinRequest(request: JoinRequest, signature: string, chainId: string): boolean {
  return verifyZip215(fromHex(signature), signBytes(request, chainId), fromHex(request.key));
}

/** Domain `parley-join` over [group, who asks, time]. */
function signBytes({ group, person, at }: JoinRequest, chainId: string): Uint8Array {
  return domainBytes("join", chainId, [fromHex(group), fromHex(person), at]);
}

function seedOf({ group, secret }: Pick<GroupLink, "group" | "secret">, chainId: string): Uint8Array {
  return hkdf(sha256Hash, secret, fromHex(group), utf8(`parley group link ${chainId}`), SEED_BYTES);
}

function markOf(chainId: string): Uint8Array {
  return sha256(utf8(chainId)).slice(0, MARK_BYTES);
}
