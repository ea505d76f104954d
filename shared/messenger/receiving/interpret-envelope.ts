// What an envelope means and who it is from. The box proves the sender's device; which person that is, only the chain says.

import type { FoldersRecord } from "#shared/content/chat/folder-content.ts";
import type { Note } from "#shared/content/chat/note-content.ts";
import type { ProfilePicture } from "#shared/content/chat/picture-content.ts";
import type { SyncStickerBody } from "#shared/content/chat/sticker-content.ts";
import {
  type BodyOf,
  type ChunkBody,
  type FileAskBody,
  hasRole,
  type IncomingContent,
  KIND_ROLES,
  type KindRole,
  type MessageId,
  type ReceiptBody,
  type StreamPosition,
  type SyncChatBody,
  type SyncReadBody,
  type SyncSentBody,
  type UnknownBody,
} from "#shared/content/content.ts";
import { decodePlaintext } from "#shared/content/content-codec.ts";
import type { GroupReference } from "#shared/content/group-content.ts";
import type { Checkpoint } from "#shared/protocol/chain/checkpoint.ts";
import type { OwnerTransfer } from "#shared/protocol/groups/owner-terms.ts";
import type { SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { envelopeId } from "#shared/protocol/mail/envelope-id.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fromBase64 } from "#shared/util/bytes.ts";
import { isHeld, type MessageSource, shownBody } from "../changes/files/shown-body.ts";
import type { OpenedPair } from "../changes/pairs/open-pairs.ts";
import type { PairEvent } from "../changes/pairs/pair-event.ts";
import type { Amendment } from "../model/amend-message.ts";
import { groupConversation, unknownConversation } from "../model/conversation-id.ts";
import type { ConversationId, MessageBody } from "../model/message.ts";
import type { InboxEntry } from "../model/node-port.ts";
import { isPastOldForm } from "../pairs/pair-record.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { ChosenName } from "../state/profiles/profile-registry.ts";
import { type CallSignal, callSignalOf, withoutReach } from "./call-signal.ts";

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
  /** Of a large file, and of one that is stored once: the device that sent it. */
  readonly holder?: X25519KeyHex;
}

/** Something that belongs to a group. Can be stored: it may have to wait until more is known of the group. */
export interface GroupEvent {
  readonly kind: "group";
  readonly group: GroupReference;
  readonly from: PublicKeyHex;
  /** The sender's claim, milliseconds. */
  readonly at: number;
  /** What the sender knows of the group's log: hashes of its last entries. */
  readonly heads?: readonly string[];
  /** Hashes of entries of a log that came with it whose devices the chain does not list. */
  readonly unlisted?: readonly string[];
  /** What the chain says of the owners of a group that is not known yet. */
  readonly transfers?: readonly OwnerTransfer[];
  readonly inner:
    | IncomingMessage
    | { readonly kind: "amendment"; readonly amendment: Amendment }
    | ({ readonly kind: "sent"; readonly sent: Pick<SyncSentBody, "id" | "at" | "body"> } & SentFrame)
    | { readonly kind: "chat"; readonly chat: SyncChatBody }
    | { readonly kind: "star"; readonly star: Amendment }
    | BodyOf<"group" | "groupRequest" | "inviteLink">;
}

/** What is around something that another own device sent. */
export interface SentFrame {
  readonly expiresInS: number | undefined;
  /** The device; absent in what waits since earlier versions. */
  readonly device?: X25519KeyHex;
}

/** Content of an envelope. */
export type IncomingEvent =
  | IncomingMessage
  | GroupEvent
  | { readonly kind: "receipt"; readonly from: PublicKeyHex; readonly receipt: ReceiptBody }
  | { readonly kind: "amendment"; readonly peer: PublicKeyHex; readonly amendment: Amendment }
  | { readonly kind: "profile"; readonly from: PublicKeyHex; readonly chosen: ChosenName; readonly picture?: ProfilePicture }
  | { readonly kind: "chunk"; readonly author: PublicKeyHex; readonly chunk: ChunkBody }
  | { readonly kind: "fileAsk"; readonly from: PublicKeyHex; readonly device: X25519KeyHex; readonly ask: FileAskBody }
  | { readonly kind: "fileGone"; readonly author: PublicKeyHex; readonly id: MessageId }
  | { readonly kind: "fileGot"; readonly device: X25519KeyHex; readonly id: MessageId }
  /** Someone asks by an invite link to be let into a group. */
  | { readonly kind: "join"; readonly from: PublicKeyHex; readonly request: BodyOf<"join"> }
  /** Another own device asks so. */
  | { readonly kind: "asked"; readonly request: BodyOf<"join"> }
  /** An admin says that an invite link by which one has asked lets one in no more. */
  | { readonly kind: "refusal"; readonly from: PublicKeyHex; readonly refusal: BodyOf<"refusal"> }
  /** Another own device asks by a link no more. */
  | { readonly kind: "askingEnded"; readonly ended: BodyOf<"refusal">; readonly at: number }
  | { readonly kind: "resend"; readonly id: MessageId; readonly resend: BodyOf<"resend"> }
  | ({ readonly kind: "sent"; readonly sent: SyncSentBody } & SentFrame)
  | { readonly kind: "read"; readonly read: SyncReadBody; readonly at: number }
  | { readonly kind: "chat"; readonly chat: SyncChatBody; readonly at: number }
  | { readonly kind: "folders"; readonly record: FoldersRecord }
  | { readonly kind: "notes"; readonly notes: readonly Note[]; readonly at: number }
  | { readonly kind: "sticker"; readonly sticker: SyncStickerBody; readonly at: number }
  /** Only what is around it counts. */
  | { readonly kind: "mark" }
  /** From a blocked sender: removed unseen. */
  | { readonly kind: "blocked" }
  /** Not openable, or not what it says it is. */
  | { readonly kind: "dropped" };

/** A device that the chain lists, and the position of the content in its sender chain. */
export interface Origin {
  readonly from: PublicKeyHex;
  readonly device: X25519KeyHex;
  readonly position: StreamPosition | undefined;
  readonly prekey?: SignedPrekey;
  /** A block that the sender's node knows. */
  readonly block?: Checkpoint;
}

/** Content of an envelope, and its origin where that is proven. */
export interface ReceivedEvent {
  readonly event: IncomingEvent;
  readonly origin?: Origin;
  /** What it means for the pair with the device that sent it. */
  readonly pair?: PairEvent;
  /** What it says about a call. */
  readonly call?: CallSignal;
  /** Its words are not taken, as their form is one that its device does not write any more. */
  readonly isInOldForm?: true;
}

interface InterpreterContext extends Pick<EngineContext, "account" | "node" | "directory" | "devices" | "registry" | "pairs" | "days"> {
  /** When the envelope came, milliseconds since 1970. */
  readonly cameAt: number;
  /** A content of a device that is not listed waits for the chain, where it is of a person one knows. */
  readonly setsAside: boolean;
  /** True while an envelope of a person may wait for what the own node cannot say of a group's owners. */
  readonly mayWait: (from: PublicKeyHex) => boolean;
}

/** A content of someone one knows may count later: it waits in the store. */
export class WaitsAside extends Error {
  readonly content: IncomingContent;
  /** What of it counts at once; undefined where nothing does. */
  readonly counts: ReceivedEvent | undefined;

  constructor(message: string, content: IncomingContent, counts?: ReceivedEvent) {
    super(message);
    this.name = new.target.name;
    this.content = content;
    this.counts = counts;
  }
}

/** The chain does not list the device of a content: it may do so later. */
export class UnlistedYet extends WaitsAside {
  constructor(content: IncomingContent) {
    super("The chain does not list this device yet", content);
  }
}

/** A device that writes version 2 wrote version 1: it may have been set back, which it says in version 2. */
export class InOldForm extends WaitsAside {
  constructor(content: IncomingContent, counts: ReceivedEvent) {
    super("This device has written in a later form alone", content, counts);
  }
}

const NOTHING: IncomingEvent = { kind: "dropped" };
const MARK: IncomingEvent = { kind: "mark" };
const DROPPED: ReceivedEvent = { event: NOTHING };
const BLOCKED: ReceivedEvent = { event: { kind: "blocked" } };

/**
 * Interprets an opened envelope; `newer` for what is written in a form of a later version.
 * @throws WaitsAside, or the directory's error when the sender cannot be checked now: the envelope then stays in the mailbox.
 */
export async function interpretEnvelope(
  context: InterpreterContext,
  entry: InboxEntry,
  plaintext: Uint8Array | null,
): Promise<ReceivedEvent | "newer"> {
  if (plaintext === null) return DROPPED;
  const decoded = decodePlaintext(plaintext);
  switch (decoded.form) {
    case "content":
      return interpretContent(context, entry, decoded.content);
    case "plain":
      return interpretForeign(context, entry, { kind: "plain", text: decoded.text });
    case "newer":
      return "newer";
    case "invalid":
      return DROPPED;
    default:
      return decoded satisfies never;
  }
}

/**
 * Interprets what was opened with the card of a pair, or was not: the card says who sealed it; `newer` as above.
 * @throws as {@link interpretEnvelope}.
 */
export async function interpretPair(context: InterpreterContext, entry: InboxEntry, opened: OpenedPair): Promise<ReceivedEvent | "newer"> {
  if (opened.kind === "newer") return "newer";
  if (opened.kind === "foreign") return DROPPED;
  if (opened.kind === "public") return interpretPublic(context, entry, opened);
  if (opened.kind === "unopened") return { event: MARK, pair: { kind: "unopened", device: opened.record.device, cardId: opened.cardId } };
  const { cardId, record, sender } = opened;
  const { masterPub: from, devicePub: device } = sender;
  const { account, node, directory } = context;
  const {
    stream,
    place: _place,
    ack: _ack,
    card: _card,
    box: _box,
    after: _after,
    lost: _lost,
    files: _files,
    boxes: _boxes,
    form: _form,
    ...frame
  } = opened.content;
  const content = { ...frame, from, fromDevice: device, to: account.masterPub, chainId: node.chainId };
  const received = await interpretBound(context, { ...entry, sender_pub: device, sender_ed25519_pub: "" }, content);
  const isListed = received.origin !== undefined || (received === BLOCKED && (await directory.holds(from, device).catch(() => false)));
  if (!isListed) return received;
  const { body } = opened.content;
  const isOfPair =
    (body.kind === "resend.gone" && body.stream === stream.instance) || (body.kind === "resend" && body.stream === record?.state.instance);
  const event = isOfPair ? MARK : received.event;
  return {
    ...received,
    event,
    pair: {
      kind: "opened",
      from,
      device,
      cardId,
      content: opened.content,
      cameIn: entry.box?.peer === from ? entry.box.generation : undefined,
    },
  };
}

/** What the key that it was sealed with binds is not in the content. */
function interpretPublic(
  context: InterpreterContext,
  entry: InboxEntry,
  opened: OpenedPair & { readonly kind: "public" },
): Promise<ReceivedEvent> {
  const { masterPub: from, devicePub: fromDevice } = opened.sender;
  const content = { ...opened.content, from, fromDevice, to: context.account.masterPub, chainId: context.node.chainId };
  return interpretContent(context, { ...entry, sender_pub: fromDevice, sender_ed25519_pub: "" }, content);
}

async function interpretContent(context: InterpreterContext, entry: InboxEntry, content: IncomingContent): Promise<ReceivedEvent> {
  const { account, node } = context;
  const isOfChain = content.chainId === node.chainId || content.chainId === node.previousChainId;
  const isBound = content.fromDevice === entry.sender_pub && content.to === account.masterPub && isOfChain;
  if (!isBound) return DROPPED;
  const received = await interpretBound(context, entry, content);
  if (received.origin === undefined) return received;
  const taken = content.chainId === node.chainId ? { ...received, ...pairEventOf(entry.sender_pub, content) } : received;
  const { from, device } = received.origin;
  if (!isPastOldForm(context.pairs.get(device), from, context.days.day)) return taken;
  return isInOldForm(context, content) ? withoutWords(context, content, taken, received.origin) : withoutBlock(taken, received.origin);
}

/** True for what a device does not write any more in version 1, as it writes version 2: of people who are not blocked, or to a group. */
function isInOldForm(context: InterpreterContext, content: IncomingContent): boolean {
  // What is about chains of version 1, and the card that a content without words shows, both write as long as the pair is there.
  if (hasRole(content.body, "resend", "mark")) return false;
  return !context.registry.isBlocked(content.from) || isGroupUpdate(context, content);
}

/** Anyone may have written it: the block that it names is not one that its author's node has. */
function withoutBlock(received: ReceivedEvent, { block: _block, ...origin }: Origin): ReceivedEvent {
  return { ...received, origin };
}

/**
 * The key of the recipient's mailbox is enough to write version 1 in anyone's name, and that of a card is not. So only what a device needs that
 * knows no card any more counts: the card and the prekey that it shows, which are signed. The rest waits until it writes version 2 again.
 * @throws InOldForm where it waits.
 */
function withoutWords(
  { account, registry, setsAside }: InterpreterContext,
  content: IncomingContent,
  { pair }: ReceivedEvent,
  { block: _block, position, ...origin }: Origin,
): ReceivedEvent {
  const counts: ReceivedEvent = { event: MARK, origin: { ...origin, position: undefined }, ...(pair && { pair }) };
  const isKnown = content.from === account.masterPub || registry.isKnown(content.from);
  // What lies in the store has come: it is not to be asked for.
  if (setsAside && isKnown) throw new InOldForm(content, { ...counts, origin: { ...origin, position } });
  return { ...counts, isInOldForm: true };
}

/** What a content of version 1 means for the pair with its author's device. What is about its chains both write, whatever they know. */
function pairEventOf(device: X25519KeyHex, content: IncomingContent): Pick<ReceivedEvent, "pair"> {
  const { pairCard: shown, from, id, at, card: prekey, body } = content;
  const isAlong = !hasRole(body, "resend", "mark");
  if (shown !== undefined) return { pair: { kind: "introduced", from, device, id, at, shown, prekey, isAlong } };
  return isAlong ? { pair: { kind: "older", from, device } } : {};
}

/** A content that its box or its card binds to the sender's device, this person and this network. */
async function interpretBound(context: InterpreterContext, entry: InboxEntry, content: IncomingContent): Promise<ReceivedEvent> {
  const { account, node, registry } = context;
  const { from } = content;
  const isOwn = from === account.masterPub;
  // The box says who it is from. What the envelope says beside it, a relay can write.
  if (!isOwn && registry.isBlocked(from) && !isGroupUpdate(context, content)) return blocked(context, entry, content);
  const isListed = await isFromListed(context, entry, content);
  const origin: Origin = {
    from,
    device: entry.sender_pub,
    position: content.place,
    ...(content.card && { prekey: content.card }),
    ...(content.block && content.chainId === node.chainId && { block: content.block }),
  };
  if (!isListed) return isOwn ? DROPPED : (await isFromBlocked(context, entry)) ? BLOCKED : { event: eventFromUnlisted(entry, content) };
  const call = callSignalOf(content, isOwn);
  return { event: await withCheckedLog(context, eventFromListed(withoutReach(content), isOwn)), origin, ...(call && { call }) };
}

/** Entries of a group's log that came with it are checked. One that is not genuine makes all of it worthless. */
async function withCheckedLog(context: InterpreterContext, event: IncomingEvent): Promise<IncomingEvent> {
  const log = event.kind === "group" && "log" in event.inner ? event.inner.log : undefined;
  if (event.kind !== "group" || log === undefined) return event;
  const { verifyLog } = await import("./verify-log.ts");
  const { group, from, inner } = event;
  const kept = inner.kind === "group.state" ? inner.base?.kept : undefined;
  const verified = await verifyLog(context, { id: group.id, from, kept, mayWait: () => context.mayWait(from) }, log);
  return verified === undefined ? NOTHING : { ...event, ...verified };
}

/**
 * True when the chain lists the device that sealed a content as its author's, or did when it was written.
 * @throws UnlistedYet while it may not be listed yet.
 */
async function isFromListed(context: InterpreterContext, entry: InboxEntry, content: IncomingContent): Promise<boolean> {
  const { account, directory, devices, registry, cameAt } = context;
  const { from, at } = content;
  if (from === account.masterPub && entry.sender_pub === account.devicePub) return false;
  if ((await directory.holds(from, entry.sender_pub)) || devices.wasListed(from, entry.sender_pub, { writtenAt: at, cameAt })) return true;
  const { sender_pub: device, sender_ed25519_pub: claimed } = entry;
  const isOfAnother = claimed !== "" && claimed !== from && (await directory.holds(claimed, device));
  const isKnown = from === account.masterPub || registry.isKnown(from);
  if (isKnown && content.card) await devices.noteShown(from, device, content.card);
  if (!isOfAnother && isKnown && context.setsAside) throw new UnlistedYet(content);
  return false;
}

type GroupContent = IncomingContent & { readonly group: GroupReference };
type Interpret<Content, Body> = (content: Content, body: Body) => IncomingEvent;

/** What a content means by where a device that the chain lists sent it. What is missing here is dropped. */
interface Interpreter<Body> {
  /** From another person, in a conversation of two. */
  readonly peer?: Interpret<IncomingContent, Body>;
  /** From another own device. */
  readonly own?: Interpret<IncomingContent, Body>;
  readonly peerInGroup?: Interpret<GroupContent, Body>;
  readonly ownInGroup?: Interpret<GroupContent, Body>;
}

const fromPeer: Interpret<IncomingContent, MessageSource> = (content, body) => messageOf(content, body, content.from);
const MESSAGE: Interpreter<MessageSource> = {
  peer: fromPeer,
  peerInGroup: inItsGroup,
};

const INTERPRETERS: { readonly [Role in KindRole]: Interpreter<BodyOf<Role>> } & { readonly unknown: Interpreter<UnknownBody> } = {
  openMessage: MESSAGE,
  message: MESSAGE,
  privateMessage: { peer: fromPeer },
  groupMessage: { peerInGroup: inItsGroup },
  unknown: MESSAGE,
  amendment: {
    peer: ({ from, at }, body) => ({ kind: "amendment", peer: from, amendment: { from, at, body } }),
    peerInGroup: (content, body) => inGroup(content, { kind: "amendment", amendment: { from: content.from, at: content.at, body } }),
  },
  group: { peerInGroup: inGroup },
  groupRequest: { peerInGroup: inGroup, ownInGroup: inGroup },
  join: { peer: ({ from }, request) => ({ kind: "join", from, request }), own: (_, request) => ({ kind: "asked", request }) },
  refusal: {
    peer: ({ from }, refusal) => ({ kind: "refusal", from, refusal }),
    own: ({ at }, ended) => ({ kind: "askingEnded", ended, at }),
  },
  inviteLink: { ownInGroup: inGroup },
  profile: { peer: ({ from, at }, { name, picture }) => ({ kind: "profile", from, chosen: { name, at }, ...(picture && { picture }) }) },
  receipt: { peer: ({ from }, receipt) => ({ kind: "receipt", from, receipt }) },
  fileAsk: anywhere(({ from, fromDevice }, ask) => ({ kind: "fileAsk", from, device: fromDevice, ask })),
  fileGone: anywhere(({ from }, { id }) => ({ kind: "fileGone", author: from, id })),
  fileGot: anywhere(({ fromDevice }, { id }) => ({ kind: "fileGot", device: fromDevice, id })),
  chunk: anywhere(({ from }, chunk) => ({ kind: "chunk", author: from, chunk })),
  resend: anywhere(({ id }, resend) => ({ kind: "resend", id, resend })),
  mark: anywhere(() => MARK),
  sent: {
    own: ({ expiresInS, fromDevice }, sent) => (hasGroupRole(sent.body) ? NOTHING : { kind: "sent", sent, expiresInS, device: fromDevice }),
    ownInGroup: sentInGroup,
  },
  read: { own: ({ at }, read) => ({ kind: "read", read, at }) },
  star: {
    own: ({ from, at }, body) => ({ kind: "amendment", peer: body.peer, amendment: { from, at, body } }),
    ownInGroup: (content, body) => inGroup(content, { kind: "star", star: { from: content.from, at: content.at, body } }),
  },
  folders: { own: ({ at }, { folders }) => ({ kind: "folders", record: { folders, at } }) },
  notes: { own: ({ at }, { notes }) => ({ kind: "notes", notes, at }) },
  sticker: { own: ({ at }, sticker) => ({ kind: "sticker", sticker, at }) },
  chat: { own: ({ at }, chat) => ({ kind: "chat", chat, at }), ownInGroup: (content, chat) => inGroup(content, { kind: "chat", chat }) },
};

function anywhere<Body>(interpret: Interpret<IncomingContent, Body>): Interpreter<Body> {
  return { peer: interpret, own: interpret, peerInGroup: interpret, ownInGroup: interpret };
}

function inItsGroup(content: GroupContent, body: MessageSource): IncomingEvent {
  return inGroup(content, { ...messageOf(content, body, content.from), conversation: groupConversation(content.group.id) });
}

/** Only groups have bills. */
function hasGroupRole(body: SyncSentBody["body"]): boolean {
  return hasRole(body, "groupMessage");
}

function inGroup({ group, from, at, heads }: GroupContent, inner: GroupEvent["inner"]): IncomingEvent {
  return { kind: "group", group, from, at: inner.kind === "sent" ? inner.sent.at : at, ...(heads && { heads }), inner };
}

/** Payments and contacts are between two. */
function sentInGroup(content: GroupContent, { id, at, body }: SyncSentBody): IncomingEvent {
  if (hasRole(body, "group")) return inGroup(content, body);
  if (hasRole(body, "privateMessage", "profile")) return NOTHING;
  return inGroup(content, { kind: "sent", sent: { id, at, body }, expiresInS: content.expiresInS, device: content.fromDevice });
}

function eventFromListed(content: IncomingContent, isOwn: boolean): IncomingEvent {
  const { body, group } = content;
  const interpreter = INTERPRETERS[body.kind === "unknown" ? "unknown" : KIND_ROLES[body.kind]] as Interpreter<IncomingContent["body"]>;
  const { peer, own, peerInGroup, ownInGroup } = interpreter;
  if (group === undefined) return (isOwn ? own : peer)?.(content, body) ?? NOTHING;
  return (isOwn ? ownInGroup : peerInGroup)?.({ ...content, group }, body) ?? NOTHING;
}

/** Members of one's own groups have to be known, even from blocked senders. */
function isGroupUpdate({ registry }: InterpreterContext, { group, body }: IncomingContent): boolean {
  return hasRole(body, "group") && group !== undefined && registry.get(groupConversation(group.id)).group !== undefined;
}

/** The envelope names a blocked person, and the chain lists the device that sealed it as theirs. */
async function isFromBlocked(
  { directory, registry }: InterpreterContext,
  { sender_ed25519_pub: claimed, sender_pub }: InboxEntry,
): Promise<boolean> {
  return registry.isBlocked(claimed) && (await directory.holds(claimed, sender_pub));
}

/** Nothing is shown. The position is noted, so that this mail is not requested when the block is lifted. */
async function blocked(
  { directory }: InterpreterContext,
  entry: InboxEntry,
  { from, place: position }: IncomingContent,
): Promise<ReceivedEvent> {
  if (position === undefined) return BLOCKED;
  const isListed = await directory.holds(from, entry.sender_pub).catch(() => false);
  return isListed ? { ...BLOCKED, origin: { from, device: entry.sender_pub, position } } : BLOCKED;
}

/** From a device that no identity lists: what can be read is shown in a conversation of its own. */
function eventFromUnlisted({ sender_pub }: InboxEntry, content: IncomingContent): IncomingEvent {
  const { body, group } = content;
  const isShown = group === undefined && (body.kind === "unknown" || hasRole(body, "openMessage"));
  return isShown ? messageOf(content, body, unknownConversation(sender_pub)) : NOTHING;
}

function messageOf({ id, at, expiresInS, from, fromDevice }: IncomingContent, body: MessageSource, author: string): IncomingMessage {
  const holder = isHeld(body) ? { holder: fromDevice } : {};
  return { kind: "message", conversation: author, author, id, at, ...shownBody(body), ...holder, hasReceipts: author === from, expiresInS };
}

/** Plaintext without our frame: the envelope's master key is a claim, taken when that identity lists the sending device. */
async function interpretForeign(context: InterpreterContext, entry: InboxEntry, body: MessageBody): Promise<ReceivedEvent> {
  const { directory, registry, pairs, days } = context;
  const { sender_ed25519_pub: claimed, sender_pub: device } = entry;
  const isVouched = claimed !== "" && (await directory.holds(claimed, device));
  if (isVouched && registry.isBlocked(claimed)) return BLOCKED;
  const author = isVouched && !isPastOldForm(pairs.get(device), claimed, days.day) ? claimed : unknownConversation(device);
  const id = envelopeId(fromBase64(entry.nonce), fromBase64(entry.ciphertext));
  const at = entry.sent_at * 1000;
  const frame = { kind: "message", conversation: author, author, hasReceipts: false, expiresInS: undefined } as const;
  return { event: { ...frame, id, at, body, raw: null } };
}
