// One attempt to send an outbox entry: which devices, which plaintexts, and what became of each envelope.
import type { ChatBody, KnownBody, MessageId, StreamPosition } from "#shared/content/content.ts";
import { encodeContent } from "#shared/content/encode-content.ts";
import type { GroupReference } from "#shared/content/group-content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { SealRequest } from "#shared/keyring/keyring-api.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import type { Envelope, X25519KeyHex } from "#shared/protocol/envelope.ts";
import { assertNever } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";
import { groupConversation } from "./conversation-id.ts";
import type { EngineContext } from "./engine-context.ts";
import { attachmentBody } from "./files.ts";
import { membersOf } from "./group-state.ts";
import { holdsKey, recipientKeys } from "./key-directory.ts";
import { isFinal } from "./problem.ts";
import type { AmendmentBody, MessageContent, OutboxRecord, OutboxTask, SendTask } from "./records.ts";

/** Envelopes that are broadcast at the same time. */
const PARALLEL = 4;
const ID_BYTES = 16;

type DeliveryContext = Pick<
  EngineContext,
  "store" | "account" | "node" | "keyring" | "directory" | "book" | "clock" | "random" | "streams" | "epochs" | "settings"
>;

/** Gives places in the streams to devices and stores that; undefined when the entry is no longer there. */
export type TakePlaces = (devices: readonly X25519KeyHex[]) => Promise<OutboxRecord | undefined>;

/** What one attempt reached. */
export interface DeliveryResult {
  /** Devices that got their envelope, or whose mailbox refused it for good. */
  readonly settled: readonly X25519KeyHex[];
  /** Devices of the peer that got theirs. */
  readonly reached: readonly X25519KeyHex[];
  /** Something waits here until a device of the peer shows a new short-lived key. */
  readonly isHeld: boolean;
  /** A refusal for good, if there was one. */
  readonly refusal: CodedError | undefined;
  /** Why devices are still waiting, if any are. */
  readonly waitingFor: unknown;
  /** Who it was written for is no longer in the group: nothing was sent, and nothing will be. */
  readonly hasLeft: boolean;
}

const NOTHING: DeliveryResult = { settled: [], reached: [], isHeld: false, refusal: undefined, waitingFor: undefined, hasLeft: false };

/** One content for some devices of one identity. */
interface Part {
  readonly to: PublicKeyHex;
  readonly body: KnownBody;
  readonly devices: readonly X25519KeyHex[];
  /** Of a message or an amendment that the recipient keeps under this id. */
  readonly identity: { readonly id: MessageId; readonly at: number; readonly expiresInS?: number } | undefined;
  readonly group?: GroupReference;
}

/**
 * Sends an entry to every device that has not got it. Device lists are read anew, so that a device linked a moment ago is served and
 * one that was revoked is not. Places are stored before anything leaves: an attempt after a crash uses the same ones.
 * @throws CodedError NO_ENCRYPTION_KEY, DEVICE_NOT_PUBLISHED, or the failure of the look-up.
 */
export async function deliver(context: DeliveryContext, record: OutboxRecord, takePlaces: TakePlaces): Promise<DeliveryResult> {
  if (hasLeft(context, record)) return { ...NOTHING, hasLeft: true };
  const parts = await partsOf(context, record);
  const devices = parts.flatMap((part) => part.devices);
  const placed = await takePlaces(hasPlaces(record) ? devices : []);
  if (placed === undefined) return NOTHING;
  const sentAt = Math.floor(context.clock.nowMs() / 1000);
  const requests = parts.flatMap((part) =>
    part.devices.flatMap((device) => {
      const key = context.epochs.keyFor(device, sentAt);
      const sealed = key.kind === "stale" ? heldBack(context, { part, placed, device }) : { part, place: placeOf(context, placed, device) };
      if (sealed === undefined) return [];
      const request: SealRequest = {
        plaintext: plaintextOf(context, sealed.part, sealed.place),
        recipients: [device],
        sentAt,
        hidesSender: context.settings().hideSender,
        ...(key.kind === "epoch" ? { epochPub: key.epochPub } : {}),
      };
      return [request];
    }),
  );
  const held = devices.filter((device) => context.epochs.keyFor(device, sentAt).kind === "stale");
  const envelopes = await context.keyring.seal({ requests });
  const outcomes = await broadcastAll(context, envelopes);
  const peerDevices = new Set(parts.filter(({ to }) => to === record.peer).flatMap((part) => part.devices));
  const refused = outcomes.filter(({ error }) => isFinal(error));
  const settled = outcomes.filter(({ error }) => error === undefined || isFinal(error)).map(({ device }) => device);
  const isReached = ({ device, error }: Outcome): boolean => error === undefined && peerDevices.has(device) && !held.includes(device);
  return {
    settled: [...settled, ...held.filter((device) => !outcomes.some((outcome) => outcome.device === device))],
    reached: outcomes.filter(isReached).map(({ device }) => device),
    isHeld: held.some((device) => peerDevices.has(device)),
    refusal: refused.map(({ error }) => error).find(isFinal),
    waitingFor: outcomes.find(({ error }) => error !== undefined && !isFinal(error))?.error,
    hasLeft: false,
  };
}

/**
 * What a device gets whose short-lived key may be destroyed. Its lasting key is for nothing that somebody wrote: it is told that
 * something waits, and by asking for that it shows a new key.
 */
function heldBack(
  { streams }: DeliveryContext,
  { part, placed, device }: { readonly part: Part; readonly placed: OutboxRecord; readonly device: X25519KeyHex },
): { readonly part: Part; readonly place: undefined } | undefined {
  if (part.body.kind === "resend" || part.body.kind === "resend.gone") return { part, place: undefined };
  const position = placed.places?.[device];
  if (placed.task.kind === "again" || position === undefined) return undefined;
  const { stream } = streams.sending;
  return {
    part: { to: part.to, devices: [device], body: { kind: "knock", stream, upTo: position }, identity: undefined },
    place: undefined,
  };
}

function hasPlaces({ task }: OutboxRecord): boolean {
  return task.kind !== "again" && task.kind !== "ask" && task.kind !== "gone";
}

function placeOf({ streams }: DeliveryContext, { task, places }: OutboxRecord, device: X25519KeyHex): StreamPosition | undefined {
  const position = task.kind === "again" ? task.position : places?.[device];
  return position === undefined ? undefined : { stream: streams.sending.stream, position };
}

async function partsOf(context: DeliveryContext, record: OutboxRecord): Promise<readonly Part[]> {
  const { account, directory } = context;
  const data = await chunkOf(context, record.task);
  const { peer, task, done } = record;
  const me = account.masterPub;
  if (isNameForBlocked(context, record)) return [];
  const own = await directory.fetch(me);
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
function hasLeft({ book, account }: DeliveryContext, { peer, task }: OutboxRecord): boolean {
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
function isNameForBlocked({ book }: DeliveryContext, { peer, task }: OutboxRecord): boolean {
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

function grouped({ group }: { readonly group?: GroupReference }): { readonly group?: GroupReference } {
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
async function chunkOf({ account, store }: DeliveryContext, task: OutboxTask): Promise<Uint8Array | undefined> {
  const sent = task.kind === "again" ? task.sent.task : task;
  return sent.kind === "chunk" ? store.readChunk({ author: account.masterPub, id: sent.id, index: sent.index }) : undefined;
}

function sentBody(body: MessageContent | AmendmentBody): ChatBody {
  return body.kind === "attachment" ? attachmentBody(body) : body;
}

function plaintextOf({ account, node, clock, random, epochs }: DeliveryContext, part: Part, place: StreamPosition | undefined): Uint8Array {
  const { id, at, expiresInS } = part.identity ?? {};
  return encodeContent({
    id: id ?? toHex(random(ID_BYTES)),
    at: at ?? clock.nowMs(),
    from: account.masterPub,
    fromDevice: account.devicePub,
    to: part.to,
    chainId: node.chainId,
    ...(expiresInS === undefined ? {} : { expiresInS }),
    ...grouped(part),
    ...(place === undefined ? {} : { place }),
    ...(epochs.own === null ? {} : { card: epochs.own }),
    body: part.body,
  });
}

interface Outcome {
  readonly device: X25519KeyHex;
  /** Undefined when the node took the envelope. */
  readonly error: unknown;
}

async function broadcastAll({ node }: DeliveryContext, envelopes: readonly Envelope[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let start = 0; start < envelopes.length; start += PARALLEL) {
    const some = envelopes.slice(start, start + PARALLEL).map(async (envelope): Promise<Outcome> => {
      const error: unknown = await node.broadcast(envelope).then(
        () => undefined,
        (cause: unknown) => cause ?? new Error("The node refused the envelope"),
      );
      return { device: envelope.recipient_pub, error };
    });
    outcomes.push(...(await Promise.all(some)));
  }
  return outcomes;
}
