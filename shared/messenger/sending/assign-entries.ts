// Which version an entry of the outbox is written in for each device, and its position in the chain of that device; all of it is stored before
// anything leaves. A device that knows a card of this one, and has shown one, gets version 2 and never version 1 again.
import type { InstanceCard } from "#shared/content/content.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { ownerName, type PublicCardOwner } from "#shared/protocol/pairs/card-id.ts";
import { Change } from "../changes/change.ts";
import { drawDueCards, onePerDevice } from "../changes/pairs/draw-cards.ts";
import {
  type Departure,
  introduce,
  isToIntroduce,
  type LeavingContent,
  leaveInChain,
  type PlacedContent,
} from "../changes/pairs/leave-contents.ts";
import { pairWith } from "../changes/pairs/pair-context.ts";
import { wordless } from "../changes/pairs/whole-sent.ts";
import { newId, type OutboxRecord, type OutboxTask, type SendTask } from "../model/records.ts";
import { isBound } from "../pairs/pair-record.ts";
import { mayGetPublic, prefersPublic } from "../pairs/send-content.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { type SendStreamRecord, withNextSequenceNumbers } from "../state/streams.ts";
import type { Part } from "./delivery-parts.ts";
import type { PublicCardsOfOwners } from "./pair-request.ts";

/** An entry with what is to be sent of it. */
export interface EntryParts {
  readonly seq: number;
  readonly parts: readonly Part[];
  /** Devices that get theirs later, where that is new; undefined else. */
  readonly later: OutboxRecord["later"];
  /** Something of it waits for its random time. */
  readonly isCovered: boolean;
}

/** An entry with its positions, and what is said with it. */
export interface AssignedEntry {
  readonly record: OutboxRecord;
  /** Devices that get it in the chain of a pair. */
  readonly leaving: ReadonlyMap<X25519KeyHex, LeavingContent>;
  /** Cards to show to devices that get it in version 1. */
  readonly introductions: ReadonlyMap<X25519KeyHex, InstanceCard>;
  /** Devices that have it, and get nothing. */
  readonly settled: readonly X25519KeyHex[];
  /** Devices for which it waits in the chain of the pair until they show a card. */
  readonly waiting: readonly X25519KeyHex[];
  /** Others get theirs later. */
  readonly isCovered: boolean;
}

/**
 * Assigns positions and stores them, in the one change that the writer of the store makes; entries that are gone are missing in the result.
 * `cards`: valid public ones of devices of {@link inNeedOfPublic}.
 */
export async function assignEntries(
  context: EngineContext,
  entries: readonly EntryParts[],
  cards: PublicCardsOfOwners,
): Promise<ReadonlyMap<number, AssignedEntry>> {
  const change = new Change(context);
  const { assigned, hasChanged } = await assignIn(context, change, { entries, cards });
  if (hasChanged) await change.commit();
  return assigned;
}

/** True where all devices get the entries in the chains of their pairs: there is nothing to introduce, and no key to choose. */
export function isInChains(change: Change, entries: readonly EntryParts[]): boolean {
  return entries.every(({ parts }) =>
    parts.every(({ to, devices }) =>
      devices.every((device) => {
        const pair = change.pair(device);
        return pair?.peer === to && isBound(pair);
      }),
    ),
  );
}

/** Assigns positions in a change, which is to be stored before anything leaves. It may be what queues the entries. */
export async function assignIn(
  context: EngineContext,
  change: Change,
  { entries, cards }: { readonly entries: readonly EntryParts[]; readonly cards: PublicCardsOfOwners },
): Promise<{ readonly assigned: ReadonlyMap<number, AssignedEntry>; readonly hasChanged: boolean }> {
  await drawForDevices(context, change, entries);
  const assigned = new Map<number, AssignedEntry>();
  const steps: AssignmentSteps = { sending: context.streams.sending, hasChanged: false, cards };
  for (const entry of entries) {
    const record = change.outboxRecord(entry.seq);
    if (record !== undefined) assigned.set(entry.seq, await assignEntry(context, change, { record, entry, steps }));
  }
  if (steps.sending !== context.streams.sending) change.putSending(steps.sending);
  return { assigned, hasChanged: steps.hasChanged };
}

interface AssignmentSteps {
  sending: SendStreamRecord;
  hasChanged: boolean;
  readonly cards: PublicCardsOfOwners;
}

/** Devices whose own cards are too old for what leaves now. */
export function inNeedOfPublic(
  { pairs, days }: Pick<EngineContext, "pairs" | "days">,
  entries: readonly EntryParts[],
): readonly PublicCardOwner[] {
  const now = days.now();
  const isInNeed = (person: string, device: X25519KeyHex): boolean => {
    const pair = pairs.get(device);
    return pair?.peer === person && mayGetPublic(pair) && prefersPublic(pair.state, undefined, now);
  };
  const owners = entries.flatMap(({ parts }) =>
    parts.flatMap(({ to: person, devices }) => devices.filter((device) => isInNeed(person, device)).map((device) => ({ person, device }))),
  );
  return [...new Map(owners.map((owner) => [ownerName(owner), owner])).values()];
}

/** Draws cards for the devices that get one shown. */
async function drawForDevices(context: EngineContext, change: Change, entries: readonly EntryParts[]): Promise<void> {
  const now = context.days.now();
  const records = entries.flatMap(({ parts }) =>
    parts.flatMap(({ to, devices }) => devices.flatMap((device) => pairWith(context, change, to, device) ?? [])),
  );
  const shown = onePerDevice(records).filter((record) => isBound(record) || isToIntroduce(context, record, now));
  await drawDueCards(context, change, shown, now);
}

interface Assignment {
  record: OutboxRecord;
  readonly leaving: Map<X25519KeyHex, LeavingContent>;
  readonly introductions: Map<X25519KeyHex, InstanceCard>;
  readonly settled: X25519KeyHex[];
  readonly waiting: X25519KeyHex[];
  readonly isCovered: boolean;
}

async function assignEntry(
  context: EngineContext,
  change: Change,
  {
    record,
    entry: { parts, later, isCovered },
    steps,
  }: { readonly record: OutboxRecord; readonly entry: EntryParts; readonly steps: AssignmentSteps },
): Promise<AssignedEntry> {
  const turned = later === undefined ? record : { ...record, later };
  const assignment: Assignment = { record: turned, leaving: new Map(), introductions: new Map(), settled: [], waiting: [], isCovered };
  for (const part of parts)
    for (const device of part.devices) {
      const departure = await departInChain(context, change, {
        record: assignment.record,
        part,
        device,
        publicCard: steps.cards.get(ownerName({ person: part.to, device })),
      });
      if (departure !== undefined) noteDeparture(assignment, device, departure);
      else {
        assignment.record = withSequenceNumber(assignment.record, device, steps);
        const shown = cardToShow(context, change, part, device);
        if (shown !== undefined) assignment.introductions.set(device, shown);
      }
    }
  if (assignment.record !== record) change.putOutbox(assignment.record);
  steps.hasChanged ||= assignment.record !== record || assignment.leaving.size > 0 || assignment.introductions.size > 0;
  return assignment;
}

function noteDeparture(assignment: Assignment, device: X25519KeyHex, departure: Departure): void {
  if (departure.kind === "settled") assignment.settled.push(device);
  else {
    assignment.record = { ...assignment.record, given: { ...assignment.record.given, [device]: departure.given } };
    if (departure.kind === "waits") assignment.waiting.push(device);
    else assignment.leaving.set(device, departure.leaving);
  }
}

interface DevicePart extends Pick<PlacedContent, "publicCard"> {
  readonly record: OutboxRecord;
  readonly part: Part;
  readonly device: X25519KeyHex;
}

/** What becomes of a content in the chain of a pair; undefined where it is written in version 1. */
async function departInChain(
  context: EngineContext,
  change: Change,
  { record, part, device, publicCard }: DevicePart,
): Promise<Departure | undefined> {
  const { task, peer, given } = record;
  if (isOfChains(task)) return undefined;
  const pair = change.pair(device);
  if (pair === undefined || pair.peer !== part.to || !isBound(pair)) return undefined;
  const id = part.identity?.id ?? newId(context.random);
  return leaveInChain(context, change, pair, { id, given: given?.[device], publicCard, sent: wordless(peer, task) });
}

/** The entry with a position in the sender chain to a device, where it has none. */
function withSequenceNumber(record: OutboxRecord, device: X25519KeyHex, steps: AssignmentSteps): OutboxRecord {
  const { task, places } = record;
  if (isOfChains(task) || places?.[device] !== undefined) return record;
  steps.sending = withNextSequenceNumbers(steps.sending, [device]);
  return { ...record, places: { ...places, [device]: steps.sending.last[device] ?? 0 } };
}

/** What is about the chains of version 1 is written in it. */
function isOfChains(task: OutboxTask): task is Exclude<OutboxTask, SendTask> {
  return task.kind === "again" || task.kind === "ask" || task.kind === "gone";
}

/** The card that is shown to a device in version 1, where it is time. */
function cardToShow(context: EngineContext, change: Change, { to }: Part, device: X25519KeyHex): InstanceCard | undefined {
  const now = context.days.now();
  const pair = change.pair(device);
  if (pair === undefined || pair.peer !== to || !isToIntroduce(context, pair, now)) return undefined;
  return introduce(change, pair, now);
}
