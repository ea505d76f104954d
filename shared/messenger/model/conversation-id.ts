// Ids of conversations: with a person (their master key in hex), with a group, or with a sender without a proven identity.

import type { GroupId } from "#shared/content/group-content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { isHex } from "#shared/util/bytes.ts";
import type { ConversationId } from "./message.ts";

const UNKNOWN_PREFIX = "unknown:";
const GROUP_PREFIX = "group:";

/** Conversation of a sender for whom no identity vouches. */
export function unknownConversation(devicePub: X25519KeyHex): ConversationId {
  return `${UNKNOWN_PREFIX}${devicePub}`;
}

export function groupConversation(group: GroupId): ConversationId {
  return `${GROUP_PREFIX}${group}`;
}

/** The group of a conversation, or undefined. */
export function groupOf(id: ConversationId): GroupId | undefined {
  return id.startsWith(GROUP_PREFIX) ? id.slice(GROUP_PREFIX.length) : undefined;
}

/** Device key of an unknown sender, or undefined. */
export function unknownSenderOf(id: ConversationId): X25519KeyHex | undefined {
  return id.startsWith(UNKNOWN_PREFIX) ? id.slice(UNKNOWN_PREFIX.length) : undefined;
}

/** The other person of a conversation, or undefined for a group and an unknown sender. */
export function peerOf(id: ConversationId): PublicKeyHex | undefined {
  return id.startsWith(UNKNOWN_PREFIX) || id.startsWith(GROUP_PREFIX) ? undefined : id;
}

/** The person of a conversation. @throws CodedError BAD_REQUEST for an unknown sender or what is no key. */
export function requirePeer(id: ConversationId): string {
  const peer = peerOf(id) ?? "";
  if (!isHex(peer, 32) || peer !== peer.toLowerCase())
    throw new CodedError("BAD_REQUEST", "A conversation is with a master key of 64 lower-case hex characters", {
      details: { field: "id" },
    });
  return peer;
}

/** A conversation that one can write to. @throws CodedError BAD_REQUEST for an unknown sender or what is no key. */
export function requireConversation(id: ConversationId): ConversationId {
  return groupOf(id) === undefined ? requirePeer(id) : id;
}
