// What an entry of the outbox is made of: which content goes to which devices.
import type { AmendmentBody, ChatBody, KnownBody, MessageId } from "#shared/content/content.ts";
import type { GroupReference } from "#shared/content/group-content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import type { X25519KeyHex } from "#shared/protocol/envelope.ts";
import { assertNever } from "#shared/util/assert.ts";
import { attachmentBody } from "../changes/files.ts";
import { groupConversation } from "../model/conversation-id.ts";
import { membersOf } from "../model/group-state.ts";
import type { PublishedKeys } from "../model/node-port.ts";
import type { MessageContent, OutboxRecord, OutboxTask, SendTask } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { holdsKey, recipientKeys } from "../state/key-directory.ts";

type PartsContext = Pick<EngineContext, "store" | "account" | "directory" | "book">;

/** One content for some devices of one identity. */
export interface Part {
  readonly to: PublicKeyHex;
  readonly body: KnownBody;
  readonly devices: readonly X25519KeyHex[];
  /** Of a message or an amendment that the recipient keeps under this id. */
  readonly identity: { readonly id: MessageId; readonly at: number; readonly expiresInS?: number } | undefined;
  readonly group?: GroupReference;
}

/** Keys of one's own identity, asked for once in a round and only when they are needed. */
export class OwnKeys {
  readonly #context: PartsContext;
  #keys: Promise<PublishedKeys> | undefined;

  constructor(context: PartsContext) {
    this.#context = context;
  }

  get(): Promise<PublishedKeys> {
    this.#keys ??= this.#context.directory.fetch(this.#context.account.masterPub);
    return this.#keys;
  }
}

/**
 * Contents of an entry with the devices that have not got them.
 * @throws CodedError NO_ENCRYPTION_KEY, DEVICE_NOT_PUBLISHED, or the failure of a look-up.
 */
export async function partsOf(context: PartsContext, record: OutboxRecord, ownKeys: OwnKeys): Promise<readonly Part[]> {
  const { account, directory } = context;
  const data = await chunkOf(context, record.task);
  const { peer, task, done } = record;
  const me = account.masterPub;
  if (isNameForBlocked(context, record)) return [];
  const own = await ownKeys.get();
  if (!holdsKey(own, account.devicePub))
    throw new CodedError("DEVICE_NOT_PUBLISHED", "The chain does not list this device yet: sending waits until it does");
  const pending = (devices: readonly X25519KeyHex[]): readonly X25519KeyHex[] => devices.filter((device) => !done.includes(device));
  const others = own.devices.filter((device) => device !== account.devicePub);
  if (task.kind === "again" || task.kind === "ask" || task.kind === "gone") {
    const listed = peer === me ? others : recipientKeys(await directory.fetch(peer));
    return partsForDevice(task, { peer, me, data, devices: pending(listed.filter((device) => device === task.device)) });
  }
  const toOwn = groupOfTask(task) === undefined || peer === me ? partForOwn(peer, task, me, data) : undefined;
  const toPeer = peer === me ? undefined : partForPeer(peer, task, data);
  return [
    ...(toPeer === undefined ? [] : [{ ...toPeer, devices: pending(recipientKeys(await directory.fetch(peer))) }]),
    ...(toOwn === undefined ? [] : [{ ...toOwn, devices: pending(others) }]),
  ];
}

/** What goes to one device alone, because it or this one misses something. */
function partsForDevice(
  task: Exclude<OutboxTask, SendTask>,
  {
    peer,
    me,
    data,
    devices,
  }: { readonly peer: PublicKeyHex; readonly me: PublicKeyHex; readonly data: Uint8Array | undefined; readonly devices: Part["devices"] },
): readonly Part[] {
  if (task.kind !== "again") return [{ to: peer, body: streamBody(task), devices, identity: undefined }];
  const { sent } = task;
  const part = peer === me ? partForOwn(sent.peer, sent.task, me, data) : partForPeer(sent.peer, sent.task, data);
  return part === undefined ? [] : [{ ...part, devices }];
}

function groupOfTask(task: OutboxTask): GroupReference | undefined {
  return "group" in task ? task.group : undefined;
}

/** Nothing that was written to a group leaves for somebody who is no longer in it; what they are told about the group does. */
export function hasLeft({ book, account }: Pick<PartsContext, "book" | "account">, { peer, task }: OutboxRecord): boolean {
  const reference = groupOfTask(task);
  if (reference === undefined || task.kind === "group" || peer === account.masterPub) return false;
  const { group } = book.get(groupConversation(reference.id));
  return group !== undefined && !membersOf(group).includes(peer);
}

function streamBody({
  kind,
  stream,
  positions,
}: {
  readonly kind: "ask" | "gone";
  readonly stream: string;
  readonly positions: readonly number[];
}): KnownBody {
  return { kind: kind === "ask" ? "resend" : "resend.gone", stream, positions };
}

/** Who was blocked since it was queued is told no name. */
function isNameForBlocked({ book }: PartsContext, { peer, task }: OutboxRecord): boolean {
  return (task.kind === "again" ? task.sent.task : task).kind === "profile" && book.isBlocked(peer);
}

/** What the peer gets of a task. */
function partForPeer(peer: PublicKeyHex, task: SendTask, data: Uint8Array | undefined): Omit<Part, "devices"> | undefined {
  switch (task.kind) {
    case "message":
    case "amendment":
      return { to: peer, body: sentBody(task.body), identity: task, ...grouped(task) };
    case "group":
      return { to: peer, body: task.body, identity: task, group: task.group };
    case "profile":
      return { to: peer, body: { kind: "profile", name: task.name }, identity: task };
    case "chunk":
      return chunkPart(peer, task, data);
    case "receipt":
      return { to: peer, body: { kind: "receipt", status: task.status, ids: task.ids }, identity: undefined };
    case "readMark":
    case "chatFlags":
      return undefined;
    default:
      return assertNever(task);
  }
}

/** What one's own other devices get of a task. */
function partForOwn(peer: PublicKeyHex, task: SendTask, me: PublicKeyHex, data: Uint8Array | undefined): Omit<Part, "devices"> | undefined {
  switch (task.kind) {
    case "message":
    case "amendment": {
      const { id, at, body } = task;
      return { to: me, body: { kind: "sync.sent", peer, id, at, body: sentBody(body) }, identity: task, ...grouped(task) };
    }
    case "group": {
      const { id, at, body, group } = task;
      return { to: me, body: body.kind === "group.ask" ? body : { kind: "sync.sent", peer, id, at, body }, identity: task, group };
    }
    case "profile": {
      const { id, at, name } = task;
      return { to: me, body: { kind: "sync.sent", peer, id, at, body: { kind: "profile", name } }, identity: task };
    }
    case "chunk":
      return chunkPart(me, task, data);
    case "readMark":
      return { to: me, body: { kind: "sync.read", peer, ids: task.ids }, identity: undefined };
    case "chatFlags": {
      const { at: _at, ...flags } = task.flags;
      return { to: me, body: { kind: "sync.chat", peer, ...flags }, identity: { id: task.id, at: task.flags.at }, ...grouped(task) };
    }
    case "receipt":
      return undefined;
    default:
      return assertNever(task);
  }
}

/** The group of a task, as a field. */
export function grouped({ group }: { readonly group?: GroupReference }): { readonly group?: GroupReference } {
  return group === undefined ? {} : { group };
}

function chunkPart(
  to: PublicKeyHex,
  { id, index }: Extract<SendTask, { readonly kind: "chunk" }>,
  data: Uint8Array | undefined,
): Omit<Part, "devices"> | undefined {
  return data === undefined ? undefined : { to, body: { kind: "attachment.chunk", id, index, data }, identity: undefined };
}

/** Bytes of the chunk that a task sends; undefined for other tasks, and when the file is gone. */
async function chunkOf({ account, store }: PartsContext, task: OutboxTask): Promise<Uint8Array | undefined> {
  const sent = task.kind === "again" ? task.sent.task : task;
  return sent.kind === "chunk" ? store.readChunk({ author: account.masterPub, id: sent.id, index: sent.index }) : undefined;
}

function sentBody(body: MessageContent | AmendmentBody): ChatBody {
  return body.kind === "attachment" ? attachmentBody(body) : body;
}
