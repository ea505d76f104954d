// Which devices get what is sent at once, and which some random seconds later: mailboxes that get something in the same moment belong to
// people who write to each other, or to one person.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import type { OutboxRecord, OutboxTask } from "../../model/records.ts";
import type { BothClocks } from "../../pairs/counted-days.ts";
import type { PairRegistry } from "../../pairs/pair-registry.ts";
import { type CoverWaits, drawWait } from "./cover-waits.ts";
import type { OutboxQueue } from "./outbox-queue.ts";

/** What the choice needs of a running messenger. */
interface LaterContext {
  readonly account: { readonly masterPub: PublicKeyHex };
  readonly pairs: Pick<PairRegistry, "get">;
  readonly outbox: OutboxQueue;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly cover: CoverWaits;
}

/** Some devices of one person. */
interface OfPerson {
  readonly to: PublicKeyHex;
  readonly devices: readonly X25519KeyHex[];
}

interface Entry<Part extends OfPerson> {
  readonly record: OutboxRecord;
  readonly parts: readonly Part[];
}

/** An entry with what of it leaves now. */
export interface Turn<Part extends OfPerson> extends Entry<Part> {
  /** Devices that get theirs later, and when, where this attempt decides or changes that; undefined where it was decided before. */
  readonly later: OutboxRecord["later"];
  /** Something of it waits. */
  readonly isCovered: boolean;
}

/**
 * Chooses for the entries of one round, in their order, what leaves now. Nothing overtakes what waits for the same device, except on the
 * device that has become the one at hand meanwhile.
 */
export function takeTurns<Part extends OfPerson>(context: LaterContext, entries: readonly Entry<Part>[]): readonly Turn<Part>[] {
  const waits = new Map<X25519KeyHex, number>();
  return entries.map((entry) => takeTurn(context, entry, waits));
}

function takeTurn<Part extends OfPerson>(
  context: LaterContext,
  { record, parts }: Entry<Part>,
  waits: Map<X25519KeyHex, number>,
): Turn<Part> {
  const { outbox, clock, random, cover } = context;
  const isFree = cover.further.mostMs === 0 || outbox.isCoverOver || isUrgent(record.task);
  if (isFree) return { record, parts, later: undefined, isCovered: false };
  if (record.later !== undefined) {
    const isDue = (device: X25519KeyHex): boolean => (outbox.waitFor(record.seq, device) ?? 0) === 0;
    return { record, ...withDevices(parts, isDue), later: withoutUnlisted(record, parts) };
  }
  const first = firstDevices(context, record, parts);
  const later: Record<X25519KeyHex, number> = {};
  for (const device of parts.flatMap(({ devices }) => devices)) {
    if (first.has(device)) continue;
    const waitMs = Math.max(drawWait(cover.further, random), waits.get(device) ?? outbox.longestWaitFor(device));
    waits.set(device, waitMs);
    later[device] = clock.nowMs() + waitMs;
  }
  const turn = withDevices(parts, (device) => first.has(device));
  return { record, ...turn, later: turn.isCovered ? later : undefined };
}

/** Nothing waits for the time of a device that gets nothing any more; undefined where each still gets its own, or has it. */
function withoutUnlisted(record: OutboxRecord, parts: readonly OfPerson[]): OutboxRecord["later"] {
  const { later = {}, done } = record;
  const listed = new Set([...done, ...parts.flatMap(({ devices }) => devices)]);
  const left = Object.entries(later).filter(([device]) => listed.has(device));
  return left.length === Object.keys(later).length ? undefined : Object.fromEntries(left);
}

function withDevices<Part extends OfPerson>(
  parts: readonly Part[],
  leaves: (device: X25519KeyHex) => boolean,
): Pick<Turn<Part>, "parts" | "isCovered"> {
  return {
    parts: parts.map((part) => ({ ...part, devices: part.devices.filter(leaves) })),
    isCovered: parts.some(({ devices }) => !devices.every(leaves)),
  };
}

/**
 * Calls ring and end everywhere at once, and an own device that knows of a payment does not pay again: who pays whom is on the chain. What a
 * device asked for, and what is about one chain, goes to one device alone.
 */
function isUrgent(task: OutboxTask): boolean {
  if ("device" in task && task.device !== undefined) return true;
  return task.kind === "message" && (task.body.kind.startsWith("call.") || task.body.kind === "pay.receipt");
}

/** Kinds of which one's own other devices get a copy, when the entry for oneself goes along with entries for others. */
const COPIED: ReadonlySet<OutboxTask["kind"]> = new Set(["message", "amendment", "chunk", "group", "profile"]);

function firstDevices(
  { account, pairs }: LaterContext,
  { peer, task }: OutboxRecord,
  parts: readonly OfPerson[],
): ReadonlySet<X25519KeyHex> {
  const me = account.masterPub;
  const isOfGroup = "group" in task && task.group !== undefined;
  if (peer === me && isOfGroup && COPIED.has(task.kind)) return new Set();
  const of = (person: PublicKeyHex): readonly X25519KeyHex[] => parts.filter(({ to }) => to === person).flatMap(({ devices }) => devices);
  const theirs = peer === me ? [] : of(peer);
  const isCopyLeft = theirs.length === 0 && peer !== me && parts.length > 1;
  if (isCopyLeft) return new Set();
  const devices = theirs.length > 0 ? theirs : of(me);
  const heard = devices.flatMap((device) => {
    const { state, atHandAt } = pairs.get(device) ?? {};
    const at = state?.theirs?.heardAt;
    return at === undefined ? [] : [{ device, at, atHandAt }];
  });
  // Of devices that this one has no pair with the chain says whose they are, and so do their mailboxes: nothing is covered by waiting.
  if (heard.length === 0) return new Set(devices);
  const [last] = heard.toSorted((a, b) => compare(b.atHandAt, a.atHandAt) || compare(b.at, a.at));
  return new Set(last === undefined ? devices : [last.device]);
}

/** By the time of the chain, which never goes back; within one block by the own clock. */
function compare(a: BothClocks | undefined, b: BothClocks | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return a.blockMs - b.blockMs || a.ownMs - b.ownMs;
}
