// Announcements of versions: gossip carries no author, so each is signed with the node's key.
import { encode, type TypeOf, tryDecode } from "#shared/codec/codec.ts";
import { record } from "#shared/codec/composites.ts";
import { bytes, hex, integer, textUpTo } from "#shared/codec/scalars.ts";
import { domainBytes } from "#shared/protocol/primitives/domains.ts";
import { signEd25519, type VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import { WIRE_VERSION } from "./wire-codec.ts";

const versionsCodec = record({
  nodeKey: hex(32),
  version: textUpTo(),
  apiVersion: textUpTo(),
  /** Unix seconds; of two announcements the later one counts. */
  atSec: integer(),
});

/** What a node says of itself. */
export type VersionAnnouncement = TypeOf<typeof versionsCodec>;

/** Versions of a node's program. */
export type NodeVersions = Pick<VersionAnnouncement, "version" | "apiVersion">;

/** [1, [node key, version, API version, unix seconds], signature] */
const announcementCodec = record({ announcement: versionsCodec, signature: bytes(64) }, WIRE_VERSION);

/** Bytes of an announcement, signed in the domain `parley-version`. */
export function encodeAnnouncement(chainId: string, announcement: VersionAnnouncement, secret: Uint8Array): Uint8Array {
  const signature = signEd25519(signedBytes(chainId, announcement), secret);
  return encode(announcementCodec, { announcement, signature });
}

/** Announcement of {@link encodeAnnouncement}; undefined for other bytes and for one that its node did not sign. */
export function decodeAnnouncement(chainId: string, encoded: Uint8Array, verify: VerifySignature): VersionAnnouncement | undefined {
  const read = tryDecode(announcementCodec, encoded);
  if (read === undefined) return undefined;
  const { announcement, signature } = read;
  return verify(signature, signedBytes(chainId, announcement), fromHex(announcement.nodeKey)) ? announcement : undefined;
}

/** A peer's text for people: cut to a length, without control characters. */
export function cleanText(text: string): string {
  return [...text.replace(/\p{C}/gu, "")].slice(0, NETWORK_LIMITS.versionChars).join("");
}

function signedBytes(chainId: string, { nodeKey, version, apiVersion, atSec }: VersionAnnouncement): Uint8Array {
  return domainBytes("version", chainId, [fromHex(nodeKey), version, apiVersion, atSec]);
}
