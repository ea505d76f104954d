// Announcements of versions: gossip carries no author, so each is signed with the node's key.
import { bytesOf, countOf, listOf } from "#node/engine/message-encoding.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { type CborValue, encodeCbor } from "#shared/protocol/cbor.ts";
import { domainBytes } from "#shared/protocol/domains.ts";
import { signEd25519, type VerifySignature } from "#shared/protocol/signature.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import { decodeMessage, textOf, WIRE_VERSION } from "./wire-codec.ts";

/** Versions of a node's program. */
export interface NodeVersions {
  readonly version: string;
  readonly apiVersion: string;
}

/** What a node says of itself. */
export interface VersionAnnouncement extends NodeVersions {
  readonly nodeKey: PublicKeyHex;
  /** Unix seconds; of two announcements the later one counts. */
  readonly atSec: number;
}

/** [1, [node key, version, API version, unix seconds], signature], signed in the domain `parley-version`. */
export function encodeAnnouncement(chainId: string, announcement: VersionAnnouncement, secret: Uint8Array): Uint8Array {
  const fields = fieldsOf(announcement);
  return encodeCbor([WIRE_VERSION, fields, signEd25519(domainBytes("version", chainId, fields), secret)]);
}

/** Announcement of {@link encodeAnnouncement}; undefined for other bytes and for one that its node did not sign. */
export function decodeAnnouncement(chainId: string, bytes: Uint8Array, verify: VerifySignature): VersionAnnouncement | undefined {
  return decodeMessage(bytes, 3, ([, value, signature]) => {
    const [nodeKey, version, apiVersion, atSec] = listOf(value, 4);
    const announcement: VersionAnnouncement = {
      nodeKey: toHex(bytesOf(nodeKey, 32)),
      version: textOf(version),
      apiVersion: textOf(apiVersion),
      atSec: countOf(atSec),
    };
    const message = domainBytes("version", chainId, fieldsOf(announcement));
    if (!verify(bytesOf(signature, 64), message, bytesOf(nodeKey))) throw new TypeError("Expected the signature of the node");
    return announcement;
  });
}

/** A peer's text for people: cut to a length, without control characters. */
export function cleanText(text: string): string {
  return [...text.replace(/\p{C}/gu, "")].slice(0, NETWORK_LIMITS.versionChars).join("");
}

function fieldsOf({ nodeKey, version, apiVersion, atSec }: VersionAnnouncement): readonly CborValue[] {
  return [fromHex(nodeKey), version, apiVersion, atSec];
}
