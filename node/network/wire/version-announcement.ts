// Announcements of versions: gossip carries no author, so each is signed with the node's key. A node that acts for a validator with another
// key announces that as well; both keys sign it.
import { encode, type TypeOf, tryDecode } from "#shared/codec/codec.ts";
import { record } from "#shared/codec/composites.ts";
import { bytes, hex, integer, textUpTo } from "#shared/codec/scalars.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { domainBytes } from "#shared/protocol/primitives/domains.ts";
import { signEd25519, type VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import { type SignedSeat, seatSignBytes } from "./seat.ts";
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

/** The same with [validator key, unix seconds, signature of the validator] behind it. */
const seatedCodec = record(
  {
    announcement: versionsCodec,
    signature: bytes(64),
    seat: record({ validator: hex(32), sinceSec: integer(), signature: bytes(64) }),
  },
  WIRE_VERSION,
);

/** An announcement with the seat that came with it, whose signature by the validator is not checked yet. */
export type ReceivedAnnouncement = VersionAnnouncement & { readonly seat?: SignedSeat };

/** Bytes of an announcement, signed in the domain `parley-version`. */
export function encodeAnnouncement(chainId: string, announcement: VersionAnnouncement, secret: Uint8Array, seat?: SignedSeat): Uint8Array {
  const signature = signEd25519(signedBytes(chainId, announcement, seat), secret);
  return seat === undefined
    ? encode(announcementCodec, { announcement, signature })
    : encode(seatedCodec, { announcement, signature, seat });
}

/** Announcement of {@link encodeAnnouncement}; undefined for other bytes and for one that its node did not sign. */
export function decodeAnnouncement(chainId: string, encoded: Uint8Array, verify: VerifySignature): ReceivedAnnouncement | undefined {
  const seated = tryDecode(seatedCodec, encoded);
  const read = seated ?? tryDecode(announcementCodec, encoded);
  if (read === undefined) return undefined;
  const { announcement, signature } = read;
  if (!verify(signature, signedBytes(chainId, announcement, seated?.seat), fromHex(announcement.nodeKey))) return undefined;
  return seated === undefined ? announcement : { ...announcement, seat: seated.seat };
}

/** True when the validator of a seat has signed it for the node. */
export function isSeatSigned(chainId: string, nodeKey: PublicKeyHex, seat: SignedSeat, verify: VerifySignature): boolean {
  const { validator, sinceSec, signature } = seat;
  return verify(signature, seatSignBytes(chainId, { validator, node: nodeKey, sinceSec }), fromHex(validator));
}

/** A peer's text for people: cut to a length, without control characters. */
export function cleanText(text: string): string {
  return [...text.replace(/\p{C}/gu, "")].slice(0, NETWORK_LIMITS.versionChars).join("");
}

function signedBytes(chainId: string, { nodeKey, version, apiVersion, atSec }: VersionAnnouncement, seat?: SignedSeat): Uint8Array {
  const consent = seat === undefined ? [] : [fromHex(seat.validator), seat.sinceSec];
  return domainBytes("version", chainId, [fromHex(nodeKey), version, apiVersion, atSec, ...consent]);
}
