// One attempt to send outbox entries: which devices, which plaintexts, and what became of each envelope.
import pLimit from "p-limit";
import type { StreamPosition } from "#shared/content/content.ts";
import { encodeContent } from "#shared/content/content-codec.ts";
import type { CodedError } from "#shared/errors/coded-error.ts";
import type { SealRequest } from "#shared/keyring/keyring-api.ts";
import type { Envelope, X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublishedKeys } from "../model/node-port.ts";
import { isFinal } from "../model/problem.ts";
import { newId, type OutboxRecord } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { RecipientContext } from "../state/recipients.ts";
import { grouped, type Part, partsOf } from "./delivery-parts.ts";

/** Calls of the node at the same time: as many as a browser makes to one host. */
const PARALLEL = 6;

type DeliveryContext = Pick<
  EngineContext,
  "store" | "account" | "node" | "keyring" | "directory" | "registry" | "clock" | "random" | "streams" | "epochs" | "settings"
>;

export interface EntryDevices {
  readonly seq: number;
  readonly devices: readonly X25519KeyHex[];
}

/** Assigns sequence numbers to the devices of entries and stores them; entries that are no longer there are missing in the result. */
export type AssignSequenceNumbers = (entries: readonly EntryDevices[]) => Promise<ReadonlyMap<number, OutboxRecord>>;

/** What became of an entry: what was reached, or why nothing was tried. */
export type Delivery = { readonly seq: number } & ({ readonly result: DeliveryResult } | { readonly error: unknown });

/** What one attempt reached. */
export interface DeliveryResult {
  /** Devices that got their envelope, or whose mailbox refused it for good. */
  readonly resolved: readonly X25519KeyHex[];
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

/** An entry with what is to be sent of it, or with what has become of it already. */
type Prepared = { readonly record: OutboxRecord } & (
  | { readonly parts: readonly Part[]; readonly delivery?: undefined }
  | { readonly parts?: undefined; readonly delivery: Delivery }
);

/** What becomes of an entry for a person who has left. */
const WITHDRAWN: DeliveryResult = { resolved: [], reached: [], isHeld: false, refusal: undefined, waitingFor: undefined, hasLeft: true };

/**
 * Sends entries to every device that has not got them. Device lists are read again, so that a device linked a moment ago is served and
 * one that was revoked is not; the own one once for all entries. Sequence numbers are stored before anything leaves: an attempt after a
 * crash uses the same ones. What delays one entry delays no other; entries that are no longer there are not in the result.
 * @throws CodedError LOCAL_STORE_FAILED when the sequence numbers could not be stored.
 */
export async function deliver(
  context: DeliveryContext,
  records: readonly OutboxRecord[],
  assignSequenceNumbers: AssignSequenceNumbers,
): Promise<readonly Delivery[]> {
  const limit = pLimit(PARALLEL);
  const round = { ...context, keysOf: keysInRound(context) };
  const prepare = async (record: OutboxRecord): Promise<Prepared> => {
    const { seq } = record;
    try {
      const parts = await limit(() => partsOf(round, record));
      return parts === undefined ? { record, delivery: { seq, result: WITHDRAWN } } : { record, parts };
    } catch (error) {
      return { record, delivery: { seq, error } };
    }
  };
  const prepared = await Promise.all(records.map(prepare));
  const assignedBySeq = await assignSequenceNumbers(
    prepared.flatMap(({ record, parts }) =>
      parts === undefined ? [] : [{ seq: record.seq, devices: hasSequenceNumbers(record) ? parts.flatMap((part) => part.devices) : [] }],
    ),
  );
  const deliveries = prepared.map(async ({ record: { seq }, parts, delivery }): Promise<readonly Delivery[]> => {
    if (parts === undefined) return [delivery];
    const assigned = assignedBySeq.get(seq);
    if (assigned === undefined) return [];
    return [
      await sendParts(context, { assigned, parts }, limit).then(
        (result) => ({ seq, result }),
        (cause: unknown) => ({ seq, error: cause }),
      ),
    ];
  });
  return (await Promise.all(deliveries)).flat();
}

/** Looks published keys up again, one's own once for all entries and only when they are needed. */
function keysInRound({ directory, account }: DeliveryContext): RecipientContext["keysOf"] {
  let own: Promise<PublishedKeys> | undefined;
  return (person) => {
    if (person !== account.masterPub) return directory.fetch(person);
    own ??= directory.fetch(person);
    return own;
  };
}

/** Seals an entry for its devices and broadcasts that. */
async function sendParts(
  context: DeliveryContext,
  { assigned, parts }: { readonly assigned: OutboxRecord; readonly parts: readonly Part[] },
  limit: ReturnType<typeof pLimit>,
): Promise<DeliveryResult> {
  const devices = parts.flatMap((part) => part.devices);
  const sentAt = Math.floor(context.clock.nowMs() / 1000);
  const requests = parts.flatMap((part) =>
    part.devices.flatMap((device) => {
      const key = context.epochs.keyFor(device, sentAt);
      const sealed =
        key.kind === "stale" ? heldBack(context, { part, assigned, device }) : { part, position: positionOf(context, assigned, device) };
      if (sealed === undefined) return [];
      const request: SealRequest = {
        plaintext: plaintextOf(context, sealed.part, sealed.position),
        recipients: [device],
        sentAt,
        hidesSender: context.settings().hideSender,
        ...(key.kind === "epoch" ? { epochPub: key.epochPub } : {}),
      };
      return [request];
    }),
  );
  const held = devices.filter((device) => context.epochs.keyFor(device, sentAt).kind === "stale");
  const envelopes = requests.length === 0 ? [] : await context.keyring.seal({ requests });
  const outcomes = await Promise.all(envelopes.map((envelope) => limit(() => broadcast(context, envelope))));
  const peerDevices = new Set(parts.filter(({ to }) => to === assigned.peer).flatMap((part) => part.devices));
  const refused = outcomes.filter(({ error }) => isFinal(error));
  const settled = outcomes.filter(({ error }) => error === undefined || isFinal(error)).map(({ device }) => device);
  const isReached = ({ device, error }: Outcome): boolean => error === undefined && peerDevices.has(device) && !held.includes(device);
  return {
    resolved: [...settled, ...held.filter((device) => !outcomes.some((outcome) => outcome.device === device))],
    reached: outcomes.filter(isReached).map(({ device }) => device),
    isHeld: held.some((device) => peerDevices.has(device)),
    refusal: refused.map(({ error }) => error).find(isFinal),
    waitingFor: outcomes.find(({ error }) => error !== undefined && !isFinal(error))?.error,
    hasLeft: false,
  };
}

/**
 * What a device gets whose short-lived key may be destroyed. Its lasting key is for nothing that a person wrote: it is prompted that
 * something waits, and by asking for that it shows a new key.
 */
function heldBack(
  { streams }: DeliveryContext,
  { part, assigned, device }: { readonly part: Part; readonly assigned: OutboxRecord; readonly device: X25519KeyHex },
): { readonly part: Part; readonly position: undefined } | undefined {
  if (part.body.kind === "resend" || part.body.kind === "resend.gone") return { part, position: undefined };
  const position = assigned.places?.[device];
  if (assigned.task.kind === "again" || position === undefined) return undefined;
  const { stream } = streams.sending;
  return {
    part: { to: part.to, devices: [device], body: { kind: "knock", stream, upTo: position }, identity: undefined },
    position: undefined,
  };
}

function hasSequenceNumbers({ task }: OutboxRecord): boolean {
  return task.kind !== "again" && task.kind !== "ask" && task.kind !== "gone";
}

function positionOf(
  { streams }: DeliveryContext,
  { task, places: sequenceNumbers }: OutboxRecord,
  device: X25519KeyHex,
): StreamPosition | undefined {
  const position = task.kind === "again" ? task.position : sequenceNumbers?.[device];
  return position === undefined ? undefined : { stream: streams.sending.stream, position };
}

function plaintextOf(
  { account, node, clock, random, epochs }: DeliveryContext,
  part: Part,
  position: StreamPosition | undefined,
): Uint8Array {
  const { id, at, expiresInS } = part.identity ?? {};
  return encodeContent({
    id: id ?? newId(random),
    at: at ?? clock.nowMs(),
    from: account.masterPub,
    fromDevice: account.devicePub,
    to: part.to,
    chainId: node.chainId,
    ...(expiresInS === undefined ? {} : { expiresInS }),
    ...grouped(part),
    ...(position === undefined ? {} : { place: position }),
    ...(epochs.own === null ? {} : { card: epochs.own }),
    body: part.body,
  });
}

interface Outcome {
  readonly device: X25519KeyHex;
  /** Undefined when the node took the envelope. */
  readonly error: unknown;
}

async function broadcast({ node }: DeliveryContext, envelope: Envelope): Promise<Outcome> {
  const error: unknown = await node.broadcast(envelope).then(
    () => undefined,
    (cause: unknown) => cause ?? new Error("The node refused the envelope"),
  );
  return { device: envelope.recipient_pub, error };
}
