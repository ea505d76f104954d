// What an entry of the outbox is made of: which content goes to which devices.
import { withoutSdp } from "#shared/content/chat/call-content.ts";
import type { AmendmentBody, ChatBody, KnownBody, MessageId, ProfileBody } from "#shared/content/content.ts";
import type { GroupReference } from "#shared/content/group-content.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { assertNever } from "#shared/util/assert.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";
import type { StoredPicture } from "../changes/chats/stored-picture.ts";
import { attachmentBody } from "../changes/files/sent-attachment.ts";
import { groupConversation } from "../model/conversation-id.ts";
import type { MessageContent, OutboxRecord, OutboxTask, SendTask, SentRecord } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { pictureKey } from "../state/profiles/picture-record.ts";
import { type RecipientContext, recipientsOf } from "../state/recipients.ts";

type PartsContext = Pick<EngineContext, "store"> & RecipientContext;

/** One content for some devices of one identity. */
export interface Part {
  readonly to: PublicKeyHex;
  readonly body: KnownBody;
  readonly devices: readonly X25519KeyHex[];
  /** Of a message or an amendment that the recipient stores under this id. */
  readonly identity: { readonly id: MessageId; readonly at: number; readonly expiresInS?: number } | undefined;
  readonly group?: GroupReference;
  /** Own devices get a copy of what the person gets: the body of the other of the two, so that both are of one size. */
  readonly twin?: KnownBody | undefined;
}

type Content = Omit<Part, "devices">;
type GroupTask = Extract<SendTask, { readonly kind: "group" }>;
type StickerTask = Extract<SendTask, { readonly kind: "sticker" }>;
type ProfileTask = Extract<SendTask, { readonly kind: "profile" }>;

/**
 * Contents of an entry with the devices that have not got them; undefined when its person has left the group that it was written to.
 * @throws CodedError NO_ENCRYPTION_KEY, DEVICE_NOT_PUBLISHED, or the failure of a look-up.
 */
export async function partsOf(context: PartsContext, record: OutboxRecord): Promise<readonly Part[] | undefined> {
  const recipients = await recipientsOf(context, record);
  if (recipients === undefined) return undefined;
  const data = await bytesOf(context, record.task);
  return recipients.flatMap(({ isOwn, devices }) => {
    const part = partFor(record, isOwn ? context.account.masterPub : undefined, data);
    return part === undefined ? [] : [{ ...part, devices }];
  });
}

/** What one's own other devices get of an entry, or (without `me`) its person. */
function partFor({ peer, task }: OutboxRecord, me: PublicKeyHex | undefined, data: Uint8Array | undefined): Content | undefined {
  if (task.kind === "ask" || task.kind === "gone") {
    const { stream, positions } = task;
    return { to: peer, body: { kind: task.kind === "ask" ? "resend" : "resend.gone", stream, positions }, identity: undefined };
  }
  return partOfSent(task.kind === "again" ? task.sent : { peer, task }, me, data);
}

/** What one's own other devices get of something that was sent, or (without `me`) its person. */
export function partOfSent({ peer, task }: SentRecord, me: PublicKeyHex | undefined, data: Uint8Array | undefined): Content | undefined {
  const content = me === undefined ? partForPeer(peer, task, data) : partForOwn(peer, task, me, data);
  return content && { ...content, twin: twinOf(peer, task, { isCopy: me !== undefined, data }) };
}

/** What the others of person and own devices get of a task; undefined where that is the same, or nothing. */
function twinOf(
  peer: PublicKeyHex,
  task: SendTask,
  { isCopy, data }: { readonly isCopy: boolean; readonly data: Uint8Array | undefined },
): KnownBody | undefined {
  if (task.kind !== "message" && task.kind !== "amendment" && task.kind !== "group") return undefined;
  // The key of no one: a copy is as long whatever chat it names.
  const other = isCopy ? partForPeer(peer, task, data) : partForOwn(peer, task, peer, data);
  return other?.body;
}

/** What the peer gets of a task. */
function partForPeer(peer: PublicKeyHex, task: SendTask, data: Uint8Array | undefined): Content | undefined {
  switch (task.kind) {
    case "message":
    case "amendment":
      return { to: peer, body: sentBody(task.body), identity: task, ...grouped(task) };
    case "group":
      return { to: peer, body: groupBody(task, data), identity: task, group: task.group };
    case "join":
      return { to: peer, body: task.body, identity: task };
    case "profile":
      return { to: peer, body: profileBody(task, data), identity: task };
    case "chunk":
      return chunkPart(peer, task, data);
    case "receipt":
      return { to: peer, body: { kind: "receipt", status: task.status, ids: task.ids }, identity: undefined };
    case "prompt":
      return promptPart(peer, task);
    case "fileAsk":
    case "fileGone":
    case "fileGot":
      return fileRequest(peer, task);
    case "readMark":
    case "chatFlags":
    case "star":
    case "folders":
    case "notes":
    case "sticker":
    case "inviteLink":
      return undefined;
    default:
      return assertNever(task);
  }
}

/** What one's own other devices get of a task. */
function partForOwn(peer: PublicKeyHex, task: SendTask, me: PublicKeyHex, data: Uint8Array | undefined): Content | undefined {
  switch (task.kind) {
    case "message":
    case "amendment": {
      const { id, at, body } = task;
      // Own devices stop ringing by it; how to reach the other person is not for them.
      return { to: me, body: { kind: "sync.sent", peer, id, at, body: withoutSdp(sentBody(body)) }, identity: task, ...grouped(task) };
    }
    case "group": {
      const { id, at, group } = task;
      const body = groupBody(task, data);
      return { to: me, body: body.kind === "group.ask" ? body : { kind: "sync.sent", peer, id, at, body }, identity: task, group };
    }
    case "profile": {
      const { id, at } = task;
      // Of what went to a contact own devices learn which picture it was.
      return { to: me, body: { kind: "sync.sent", peer, id, at, body: profileBody(task, peer === me ? data : undefined) }, identity: task };
    }
    case "chunk":
      return chunkPart(me, task, data);
    case "readMark":
      return { to: me, body: { kind: "sync.read", peer, ids: task.ids }, identity: undefined };
    case "chatFlags": {
      const { at: _at, ...flags } = task.flags;
      return { to: me, body: { kind: "sync.chat", peer, ...flags }, identity: { id: task.id, at: task.flags.at }, ...grouped(task) };
    }
    case "prompt":
      return promptPart(me, task);
    case "fileAsk":
    case "fileGone":
    case "fileGot":
      return fileRequest(me, task);
    case "star":
      return { to: me, body: { kind: "sync.star", peer, ...task.star }, identity: task, ...grouped(task) };
    case "folders":
      return { to: me, body: { kind: "sync.folders", folders: task.folders }, identity: task };
    case "notes":
      return { to: me, body: { kind: "sync.notes", notes: task.notes }, identity: task };
    case "sticker":
      return stickerPart(me, task, data);
    case "inviteLink":
      return { to: me, body: { kind: "sync.link", text: task.text }, identity: task, group: task.group };
    case "join":
      // Own devices take the group that this one asks for without another question, and hear where it asks no more.
      return task.body.kind === "group.join" || peer === me ? { to: me, body: task.body, identity: task } : undefined;
    case "receipt":
      return undefined;
    default:
      return assertNever(task);
  }
}

/** Without its picture a sticker would read as removed: what says that it was moved or changed stays here then. */
function stickerPart(to: PublicKeyHex, task: StickerTask, data: Uint8Array | undefined): Content | undefined {
  const { sticker } = task;
  if (data === undefined && sticker.emoji !== "") return undefined;
  return { to, body: { kind: "sync.sticker", ...sticker, ...(data !== undefined && { data }) }, identity: task };
}

function promptPart(to: PublicKeyHex, { stream, upTo }: Extract<SendTask, { readonly kind: "prompt" }>): Content {
  return { to, body: { kind: "knock", stream, upTo }, identity: undefined };
}

function fileRequest(to: PublicKeyHex, task: Extract<SendTask, { readonly kind: "fileAsk" | "fileGone" | "fileGot" }>): Content {
  const { id, kind } = task;
  if (kind !== "fileAsk") return { to, body: { kind: kind === "fileGot" ? "file.got" : "file.gone", id }, identity: undefined };
  const { chunks, stored = false } = task;
  return { to, body: { kind: "file.ask", id, chunks, ...(stored && { stored }) }, identity: undefined };
}

/** The group of a task, as a field. */
export function grouped({ group }: { readonly group?: GroupReference }): { readonly group?: GroupReference } {
  return group === undefined ? {} : { group };
}

function chunkPart(
  to: PublicKeyHex,
  { id, index }: Extract<SendTask, { readonly kind: "chunk" }>,
  data: Uint8Array | undefined,
): Content | undefined {
  return data === undefined ? undefined : { to, body: { kind: "attachment.chunk", id, index, data }, identity: undefined };
}

function profileBody({ name, picture }: ProfileTask, data: Uint8Array | undefined): ProfileBody {
  return { kind: "profile", name, ...(picture && { picture: { at: picture.at, ...(data && { data }) } }) };
}

function groupBody({ body }: GroupTask, data: Uint8Array | undefined): GroupTask["body"] {
  return body.kind === "group.state" && data !== undefined ? { ...body, picture: toBase64(data) } : body;
}

/** Bytes of the chunk or the picture that a task sends; undefined for other tasks, when the file is gone, or when there is a newer picture. */
export async function bytesOf(
  { account, store }: Pick<EngineContext, "account" | "store">,
  task: OutboxTask,
): Promise<Uint8Array | undefined> {
  const sent = task.kind === "again" ? task.sent.task : task;
  if (sent.kind === "chunk") return store.readChunk({ author: account.masterPub, id: sent.id, index: sent.index });
  if (sent.kind === "sticker") {
    const { emoji, sticker } = sent.sticker;
    return emoji === "" ? undefined : (await import("../changes/chats/stored-stickers.ts")).readStickerBytes(store, sticker);
  }
  if ((sent.kind !== "profile" && sent.kind !== "group") || sent.picture === undefined) return undefined;
  const { owner, mark } =
    sent.kind === "profile"
      ? { owner: account.masterPub, mark: sent.picture.mark }
      : { owner: groupConversation(sent.group.id), mark: sent.picture };
  const stored = await store.readMeta<StoredPicture>(pictureKey(owner));
  return stored?.mark === mark ? fromBase64(stored.data) : undefined;
}

function sentBody(body: MessageContent | AmendmentBody): ChatBody {
  return body.kind === "attachment" ? attachmentBody(body) : body;
}
