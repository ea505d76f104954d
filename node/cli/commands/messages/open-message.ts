// From an inbox item to what a person may read: opened, decoded, and compared with the envelope that it came in.
import type { Output } from "#shared/api/api.ts";
import type { IncomingContent } from "#shared/content/content.ts";
import { decodePlaintext } from "#shared/content/content-codec.ts";
import { readHidden } from "#shared/keyring/devices/hidden-sender.ts";
import type { SealedItem } from "#shared/keyring/keyring-api.ts";
import { openEnvelope } from "#shared/protocol/mail/envelope.ts";
import type { PersonalKeys } from "../../session/keys/key-file.ts";

/** An item of a mailbox. */
export type InboxItem = Output<"listInbox">["items"][number];

/** Who sealed an item. */
export type ItemSender = Pick<InboxItem, "sender_pub" | "sender_ed25519_pub">;

/** What an envelope held. */
export interface OpenedMessage extends Partial<ItemSender> {
  /** Kind of content, `plain` for text of other programs, `unreadable` when it cannot be opened or was tampered with. */
  readonly kind: string;
  /** The text, or null when the kind has none. */
  readonly text: string | null;
  /** Identity of the message, the same on all devices; null for text of other programs. */
  readonly message_id: string | null;
  /** Other party of a message that another device of one's own sent. */
  readonly peer?: string;
}

const UNREADABLE: OpenedMessage = { kind: "unreadable", text: null, message_id: null };

/** Opens an item with the device key, as sent on one of the given chains. Never throws: everything in it comes from strangers. */
export function openMessage(item: InboxItem, keys: PersonalKeys, chainIds: readonly string[]): OpenedMessage {
  const outer = open(item, keys);
  const hidden = outer && readHidden(outer);
  const plaintext = hidden === undefined ? outer : open(hidden, keys);
  const decoded = plaintext === undefined ? undefined : decodePlaintext(plaintext);
  // Who hides the sender from relays names it inside alone.
  const named = hidden && { sender_pub: hidden.sender_pub, sender_ed25519_pub: decoded?.form === "content" ? decoded.content.from : "" };
  if (decoded?.form === "plain") return { kind: "plain", text: decoded.text, message_id: null, ...named };
  if (decoded?.form !== "content" || !isBoundTo(decoded.content, named ?? item, keys, chainIds)) return UNREADABLE;
  const { id, from, body } = decoded.content;
  if (body.kind === "sync.sent")
    return from === keys.publicKey
      ? { kind: body.kind, text: textOf(body.body), message_id: body.id, peer: body.peer, ...named }
      : UNREADABLE;
  return { kind: body.kind === "unknown" ? body.name : body.kind, text: textOf(body), message_id: id, ...named };
}

/** The text of a body, of whatever kind, or null where it has none. */
function textOf(body: IncomingContent["body"]): string | null {
  if (body.kind === "unknown") return body.fallback === "" ? null : body.fallback;
  return "text" in body ? body.text : null;
}

function open(item: SealedItem, keys: PersonalKeys): Uint8Array | undefined {
  try {
    return openEnvelope(item, keys.device.secretKey);
  } catch {
    return undefined;
  }
}

function isBoundTo(content: IncomingContent, item: ItemSender, keys: PersonalKeys, chainIds: readonly string[]): boolean {
  return (
    content.from === item.sender_ed25519_pub &&
    content.fromDevice === item.sender_pub &&
    content.to === keys.publicKey &&
    chainIds.includes(content.chainId)
  );
}
