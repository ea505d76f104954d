// What an envelope means and who it is from. The box proves the sender's device; which person that is, only the chain says.
import type {
  ChatBody,
  ChunkBody,
  IncomingContent,
  KnockBody,
  KnownBody,
  MessageId,
  ReceiptBody,
  ResendBody,
  ResendGoneBody,
  StreamPosition,
  SyncChatBody,
  SyncReadBody,
  SyncSentBody,
  UnknownBody,
} from "#shared/content/content.ts";
import { decodePlaintext } from "#shared/content/decode-content.ts";
import type { GroupLeaveBody, GroupReference, GroupStateBody } from "#shared/content/group-content.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import type { EpochCard } from "#shared/protocol/device-certificate.ts";
import type { X25519KeyHex } from "#shared/protocol/envelope.ts";
import { envelopeId } from "#shared/protocol/envelope-id.ts";
import { fromBase64, toHex } from "#shared/util/bytes.ts";
import { storedAttachment } from "../changes/files.ts";
import type { Amendment } from "../model/amend-message.ts";
import { groupConversation, unknownConversation } from "../model/conversation-id.ts";
import type { ConversationId, MessageBody } from "../model/message.ts";
import type { InboxEntry } from "../model/node-port.ts";
import type { AmendmentBody } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { ChosenName } from "../state/profile-book.ts";

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
  readonly expiresInS: number | undefined;
}

/** Something that belongs to a group. Can be stored: it may have to wait until more is known of the group. */
export interface GroupMeaning {
  readonly kind: "group";
  readonly group: GroupReference;
  readonly from: PublicKeyHex;
  /** The sender's claim, milliseconds. */
  readonly at: number;
  readonly inner:
    | IncomingMessage
    | { readonly kind: "amendment"; readonly amendment: Amendment }
    | { readonly kind: "sent"; readonly sent: Pick<SyncSentBody, "id" | "at" | "body">; readonly expiresInS: number | undefined }
    | { readonly kind: "chat"; readonly chat: SyncChatBody }
    | GroupStateBody
    | GroupLeaveBody
    | { readonly kind: "group.ask" };
}

/** Meaning of an envelope. */
export type Meaning =
  | IncomingMessage
  | GroupMeaning
  | { readonly kind: "receipt"; readonly from: PublicKeyHex; readonly receipt: ReceiptBody }
  | { readonly kind: "amendment"; readonly peer: PublicKeyHex; readonly amendment: Amendment }
  | { readonly kind: "profile"; readonly from: PublicKeyHex; readonly chosen: ChosenName }
  | { readonly kind: "chunk"; readonly author: PublicKeyHex; readonly chunk: ChunkBody }
  | { readonly kind: "resend"; readonly resend: ResendBody | ResendGoneBody | KnockBody }
  | { readonly kind: "sent"; readonly sent: SyncSentBody; readonly expiresInS: number | undefined }
  | { readonly kind: "read"; readonly read: SyncReadBody; readonly at: number }
  | { readonly kind: "chat"; readonly chat: SyncChatBody; readonly at: number }
  /** From somebody blocked: removed unseen. */
  | { readonly kind: "blocked" }
  /** Not openable, or not what it says it is. */
  | { readonly kind: "dropped" };

/** A device that the chain lists, and the place of the content in its stream. */
export interface Origin {
  readonly from: PublicKeyHex;
  readonly device: X25519KeyHex;
  readonly place: StreamPosition | undefined;
  readonly card?: EpochCard;
}

/** Meaning of an envelope, and its origin where that is proven. */
export interface Interpretation {
  readonly meaning: Meaning;
  readonly origin?: Origin;
}

type InterpreterContext = Pick<EngineContext, "account" | "node" | "directory" | "book">;

const DROPPED: Interpretation = { meaning: { kind: "dropped" } };
const BLOCKED: Interpretation = { meaning: { kind: "blocked" } };

/**
 * Interprets an opened envelope.
 * @throws the directory's error when the sender cannot be checked now: the envelope then stays in the mailbox.
 */
export async function interpretEnvelope(
  context: InterpreterContext,
  entry: InboxEntry,
  plaintext: Uint8Array | null,
): Promise<Interpretation> {
  const isBlocked = context.book.isBlocked(entry.sender_ed25519_pub);
  if (plaintext === null) return isBlocked ? BLOCKED : DROPPED;
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
  const { from } = content;
  const isOwn = from === account.masterPub;
  const isBlocked = book.isBlocked(entry.sender_ed25519_pub) || (!isOwn && book.isBlocked(from));
  if (isBlocked && !isNewsOfGroup(context, content)) return blocked(context, entry, content);
  const isListed = (!isOwn || entry.sender_pub !== account.devicePub) && (await directory.holds(from, entry.sender_pub));
  const origin: Origin = { from, device: entry.sender_pub, place: content.place, ...(content.card && { card: content.card }) };
  if (!isListed) return isOwn ? DROPPED : { meaning: meaningOfUnlisted(entry, content) };
  return { meaning: meaningOfListed(content, isOwn), origin };
}

/** From a device that the chain lists. */
function meaningOfListed(content: IncomingContent, isOwn: boolean): Meaning {
  const { from, body, group } = content;
  if (body.kind === "attachment.chunk") return { kind: "chunk", author: from, chunk: body };
  if (body.kind === "resend" || body.kind === "resend.gone" || body.kind === "knock") return { kind: "resend", resend: body };
  if (group !== undefined) return meaningInGroup(content, group, isOwn);
  return isOwn ? meaningOfOwn(content) : meaningOfPeer(content);
}

/** Who is in a group one is in oneself, one has to know, whoever tells it. */
function isNewsOfGroup({ book }: InterpreterContext, { group, body }: IncomingContent): boolean {
  const isNews = body.kind === "group.state" || body.kind === "group.leave";
  return isNews && group !== undefined && book.get(groupConversation(group.id)).group !== undefined;
}

function meaningInGroup(content: IncomingContent, group: GroupReference, isOwn: boolean): Meaning {
  const { from, at, body, expiresInS } = content;
  const inner = isOwn ? ownInGroup(body, expiresInS) : peerInGroup(content, groupConversation(group.id));
  if (inner === undefined) return { kind: "dropped" };
  return { kind: "group", group, from, at: inner.kind === "sent" ? inner.sent.at : at, inner };
}

function ownInGroup(body: IncomingContent["body"], expiresInS: number | undefined): GroupMeaning["inner"] | undefined {
  if (body.kind === "group.ask") return body;
  if (body.kind === "sync.chat") return { kind: "chat", chat: body };
  if (body.kind !== "sync.sent") return undefined;
  const { id, at, body: sent } = body;
  if (sent.kind === "group.state" || sent.kind === "group.leave") return sent;
  if (sent.kind === "profile") return undefined;
  return sent.kind === "unknown" || isInGroups(sent) ? { kind: "sent", sent: { id, at, body: sent }, expiresInS } : undefined;
}

function peerInGroup(content: IncomingContent, conversation: ConversationId): GroupMeaning["inner"] | undefined {
  const { from, at, body } = content;
  if (body.kind === "group.state" || body.kind === "group.leave" || body.kind === "group.ask") return body;
  if (isAmendment(body)) return { kind: "amendment", amendment: { from, at, body } };
  const isMessage = body.kind === "unknown" || (isMessageContent(body) && isInGroups(body));
  return isMessage ? { ...messageOf(content, body, from), conversation } : undefined;
}

/** Payments and contacts are between two. */
function isInGroups({ kind }: ChatBody): boolean {
  return kind !== "pay.request" && kind !== "pay.receipt" && kind !== "contact.accept";
}

/** Nothing is shown. The place is noted, so that nobody asks for this mail when the block is lifted. */
async function blocked({ directory }: InterpreterContext, entry: InboxEntry, { from, place }: IncomingContent): Promise<Interpretation> {
  if (place === undefined) return BLOCKED;
  const isListed = await directory.holds(from, entry.sender_pub).catch(() => false);
  return isListed ? { ...BLOCKED, origin: { from, device: entry.sender_pub, place } } : BLOCKED;
}

/** From another device of one's own: only what devices tell each other. */
function meaningOfOwn({ body, at, expiresInS }: IncomingContent): Meaning {
  switch (body.kind) {
    case "sync.sent":
      return { kind: "sent", sent: body, expiresInS };
    case "sync.read":
      return { kind: "read", read: body, at };
    case "sync.chat":
      return { kind: "chat", chat: body, at };
    default:
      return { kind: "dropped" };
  }
}

function meaningOfPeer(content: IncomingContent): Meaning {
  const { from, at, body } = content;
  if (isAmendment(body)) return { kind: "amendment", peer: from, amendment: { from, at, body } };
  if (body.kind === "receipt") return { kind: "receipt", from, receipt: body };
  if (body.kind === "profile") return { kind: "profile", from, chosen: { name: body.name, at } };
  if (!isMessageContent(body) && body.kind !== "unknown") return { kind: "dropped" };
  return messageOf(content, body, from);
}

/** From a device that no identity lists: what can be read is shown in a conversation of its own. */
function meaningOfUnlisted({ sender_pub }: InboxEntry, content: IncomingContent): Meaning {
  const { body, group } = content;
  if (group !== undefined || (body.kind !== "text" && body.kind !== "reply" && body.kind !== "unknown")) return { kind: "dropped" };
  return messageOf(content, body, unknownConversation(sender_pub));
}

function messageOf({ id, at, expiresInS, from }: IncomingContent, body: MessageSource, author: string): IncomingMessage {
  return { kind: "message", conversation: author, author, id, at, ...shownBody(body), hasReceipts: author === from, expiresInS };
}

/** Bodies that stand in a chat as messages. */
type MessageSource = Exclude<ChatBody, AmendmentBody> | UnknownBody;

/** A body as the store keeps it. */
export function shownBody(body: MessageSource): { readonly body: MessageBody; readonly raw: string | null } {
  if (body.kind === "attachment") return { body: storedAttachment(body), raw: null };
  if (body.kind !== "unknown") return { body, raw: null };
  return { body: { kind: "unsupported", name: body.name, fallback: body.fallback }, raw: toHex(body.raw) };
}

/** True for bodies that change a message. */
export function isAmendment(body: KnownBody | UnknownBody): body is AmendmentBody {
  return body.kind === "reaction" || body.kind === "edit" || body.kind === "delete";
}

const MESSAGE_KINDS: ReadonlySet<string> = new Set<ChatBody["kind"]>([
  "text",
  "reply",
  "timer",
  "pay.request",
  "pay.receipt",
  "contact.accept",
  "attachment",
]);

function isMessageContent(body: KnownBody | UnknownBody): body is Exclude<ChatBody, AmendmentBody> {
  return MESSAGE_KINDS.has(body.kind);
}

/** Plaintext without our frame: the envelope's master key is a claim, taken when that identity lists the sending device. */
async function interpretForeign({ directory, book }: InterpreterContext, entry: InboxEntry, body: MessageBody): Promise<Interpretation> {
  const claimed = entry.sender_ed25519_pub;
  if (book.isBlocked(claimed)) return BLOCKED;
  const isVouched = claimed !== "" && (await directory.holds(claimed, entry.sender_pub));
  const author = isVouched ? claimed : unknownConversation(entry.sender_pub);
  const id = envelopeId(fromBase64(entry.nonce), fromBase64(entry.ciphertext));
  const at = entry.sent_at * 1000;
  const meaning = {
    kind: "message",
    conversation: author,
    author,
    id,
    at,
    body,
    raw: null,
    hasReceipts: false,
    expiresInS: undefined,
  } as const;
  return { meaning };
}
