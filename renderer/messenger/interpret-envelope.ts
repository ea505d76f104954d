// What an envelope means and who it is from. The box proves the sender's device; which person that is, only the chain says.
import type { IncomingContent, MessageId, ReceiptBody, SyncReadBody, SyncSentBody } from "#shared/content/content.ts";
import { decodePlaintext } from "#shared/content/decode-content.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { envelopeId } from "#shared/protocol/envelope.ts";
import { fromBase64, toHex } from "#shared/util/bytes.ts";
import { unknownConversation } from "./conversation-book.ts";
import type { EngineContext } from "./engine-context.ts";
import type { ConversationId, MessageBody } from "./messenger.ts";
import type { InboxEntry } from "./node-port.ts";

/** A message for a conversation. */
export interface IncomingMessage {
  readonly kind: "message";
  readonly conversation: ConversationId;
  /** Master key, or the unknown conversation's id where no identity vouches. */
  readonly author: string;
  readonly id: MessageId;
  /** The sender's claim, milliseconds; 0 when there is none. */
  readonly at: number;
  readonly body: MessageBody;
  readonly raw: string | null;
  readonly hasReceipts: boolean;
}

/** Meaning of an envelope. */
export type Interpretation =
  | IncomingMessage
  | { readonly kind: "receipt"; readonly from: PublicKeyHex; readonly receipt: ReceiptBody }
  | { readonly kind: "sent"; readonly sent: SyncSentBody }
  | { readonly kind: "read"; readonly read: SyncReadBody }
  /** From somebody blocked: removed unseen. */
  | { readonly kind: "blocked" }
  /** Not openable, or not what it says it is. */
  | { readonly kind: "dropped" };

type InterpreterContext = Pick<EngineContext, "account" | "node" | "directory" | "book">;

const DROPPED: Interpretation = { kind: "dropped" };
const BLOCKED: Interpretation = { kind: "blocked" };

/**
 * Interprets an opened envelope.
 * @throws the directory's error when the sender cannot be checked now: the envelope then stays in the mailbox.
 */
export async function interpretEnvelope(
  context: InterpreterContext,
  entry: InboxEntry,
  plaintext: Uint8Array | null,
): Promise<Interpretation> {
  if (plaintext === null) return DROPPED;
  const decoded = decodePlaintext(plaintext);
  switch (decoded.form) {
    case "content":
      return interpretContent(context, entry, decoded.content);
    case "plain":
      return interpretForeign(context, entry, { kind: "plain", text: decoded.text });
    case "newer":
      return interpretForeign(context, entry, { kind: "unsupported", name: `version ${decoded.version}`, fallback: "" });
    case "invalid":
      return DROPPED;
    default:
      return decoded satisfies never;
  }
}

async function interpretContent(context: InterpreterContext, entry: InboxEntry, content: IncomingContent): Promise<Interpretation> {
  const { account, node, directory, book } = context;
  const isBound = content.fromDevice === entry.sender_pub && content.to === account.masterPub && content.chainId === node.chainId;
  if (!isBound) return DROPPED;
  if (content.from === account.masterPub) return interpretOwn(context, entry, content);
  if (book.isBlocked(content.from)) return BLOCKED;
  const isListed = await directory.holds(content.from, entry.sender_pub);
  const { body } = content;
  if (body.kind === "receipt") return isListed ? { kind: "receipt", from: content.from, receipt: body } : DROPPED;
  if (body.kind === "sync.sent" || body.kind === "sync.read") return DROPPED;
  const author = isListed ? content.from : unknownConversation(entry.sender_pub);
  const isText = body.kind === "text";
  return {
    kind: "message",
    conversation: author,
    author,
    id: content.id,
    at: content.at,
    body: isText ? body : { kind: "unsupported", name: body.name, fallback: body.fallback },
    raw: isText ? null : toHex(body.raw),
    hasReceipts: isListed,
  };
}

/** From another device of one's own: only what devices tell each other, and only while the chain lists that device. */
async function interpretOwn(
  { account, directory }: InterpreterContext,
  entry: InboxEntry,
  content: IncomingContent,
): Promise<Interpretation> {
  const isOther = entry.sender_pub !== account.devicePub && (await directory.holds(account.masterPub, entry.sender_pub));
  if (!isOther) return DROPPED;
  if (content.body.kind === "sync.sent") return { kind: "sent", sent: content.body };
  return content.body.kind === "sync.read" ? { kind: "read", read: content.body } : DROPPED;
}

/** Plaintext without our frame: the envelope's master key is a claim, taken when that identity lists the sending device. */
async function interpretForeign({ directory, book }: InterpreterContext, entry: InboxEntry, body: MessageBody): Promise<Interpretation> {
  const claimed = entry.sender_ed25519_pub;
  if (book.isBlocked(claimed)) return BLOCKED;
  const isVouched = claimed !== "" && (await directory.holds(claimed, entry.sender_pub));
  const author = isVouched ? claimed : unknownConversation(entry.sender_pub);
  const id = envelopeId(fromBase64(entry.nonce), fromBase64(entry.ciphertext));
  return { kind: "message", conversation: author, author, id, at: entry.sent_at * 1000, body, raw: null, hasReceipts: false };
}
