// Ids of conversations: with a person (their master key in hex), with a group, or with a sender without a proven identity.
import type { GroupId } from "#shared/content/group-content.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
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
