// One attempt to send outbox entries: which devices, which plaintexts, and what became of each envelope.
import pLimit from "p-limit";
import type { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Change } from "../changes/change.ts";
import type { HandedContent } from "../changes/pairs/leave-contents.ts";
import type { PublishedKeys } from "../model/node-port.ts";
import { isFinal } from "../model/problem.ts";
import type { OutboxRecord } from "../model/records.ts";
import type { WantedCard } from "../node/their-public-cards.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { takeTurns } from "../state/outbox/later-devices.ts";
import type { RecipientContext } from "../state/recipients.ts";
import { type AssignedEntry, assignIn, type EntryParts, inNeedOfPublic, isInChains } from "./assign-entries.ts";
import { type Part, partsOf } from "./delivery-parts.ts";
import { type HandedEnvelope, handIn } from "./hand-in.ts";
import type { PublicCardsOfOwners } from "./pair-request.ts";
import { inVersion1, planSealing, type SealedPlan, type SealingPlan, sealPlans } from "./sealing.ts";

/** Entries of one change that are sealed ahead: a message, and what goes with it. */
const MAX_AHEAD = 4;
/** People that are looked up and envelopes that are handed in at the same time, in few requests. */
const PARALLEL = 64;

type DeliveryContext = Pick<
  EngineContext,
  | "store"
  | "account"
  | "node"
  | "keyring"
  | "directory"
  | "devices"
  | "registry"
  | "clock"
  | "random"
  | "streams"
  | "epochs"
  | "newestBlock"
  | "boxes"
  | "publicCards"
  | "pairs"
  | "days"
  | "outbox"
  | "cover"
>;

/** Assigns positions to the devices of entries and stores them; entries that are no longer there are missing in the result. */
export type AssignPositions = (entries: readonly EntryParts[], cards: PublicCardsOfOwners) => Promise<ReadonlyMap<number, AssignedEntry>>;

/** What became of an entry: what was reached, or why nothing was tried. */
export type Delivery = { readonly seq: number } & ({ readonly result: DeliveryResult } | { readonly error: unknown });

/** A device that gets nothing yet: its short-lived keys may be gone, or it began a new chain and has shown no card of that yet. */
export interface HeldDevice {
  readonly device: X25519KeyHex;
  readonly lacks: "key" | "card";
}

/** What one attempt reached. */
export interface DeliveryResult {
  /** Devices that got their envelope, or whose mailbox refused it for good. */
  readonly resolved: readonly X25519KeyHex[];
  /** Devices of the peer that got theirs. */
  readonly reached: readonly X25519KeyHex[];
  /** A device of the peer for which something waits here until it shows a new key; undefined where none is. */
  readonly held: HeldDevice | undefined;
  /** A refusal for good, if there was one. */
  readonly refusal: CodedError | undefined;
  /** Why devices are still waiting, if any are. */
  readonly waitingFor: unknown;
  /** Who it was written for is no longer in the group: nothing was sent, and nothing will be. */
  readonly hasLeft: boolean;
  /** Devices wait for their random time. */
  readonly isCovered: boolean;
  /** Contents of pairs, taken or not. */
  readonly handed: readonly HandedContent[];
  /** Something left, or may have, for a device without a card. */
  readonly isOpenToTheft: boolean;
}

/** An entry with what is to be sent of it, or with what has become of it already. */
type Prepared = { readonly record: OutboxRecord } & (
  | { readonly parts: readonly Part[]; readonly delivery?: undefined }
  | { readonly parts?: undefined; readonly delivery: Delivery }
);

/** What becomes of an entry for a person who has left. */
const WITHDRAWN: DeliveryResult = {
  ...{ resolved: [], reached: [], held: undefined, refusal: undefined, waitingFor: undefined, isCovered: false, handed: [] },
  isOpenToTheft: false,
  hasLeft: true,
};

/**
 * Sends entries to every device that has not got them. Device lists are read again, once for each person, so that a device linked a moment
 * ago is served and one that was revoked is not. Positions are stored before anything leaves: an attempt after a crash uses the same
 * ones. What delays one entry delays no other, but that nothing of a device overtakes what it did not get; entries that are no longer there
 * are not in the result.
 * @throws CodedError LOCAL_STORE_FAILED when the positions could not be stored.
 */
export async function deliver(
  context: DeliveryContext,
  records: readonly OutboxRecord[],
  assignPositions: AssignPositions,
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
  const [prepared] = await Promise.all([Promise.all(records.map(prepare)), context.newestBlock.refresh()]);
  const publicCardsOf = async (owners: readonly WantedCard[]): Promise<PublicCardsOfOwners> =>
    owners.length === 0 ? new Map() : await (await context.publicCards()).of(owners);
  const turns = takeTurns(
    context,
    prepared.flatMap(({ record, parts }) => (parts === undefined ? [] : [{ record, parts }])),
  );
  const entries = turns.map((turn): EntryParts => ({ ...turn, seq: turn.record.seq }));
  const assignedBySeq = await assignPositions(entries, await publicCardsOf(inNeedOfPublic(context, entries)));
  const planned = turns.flatMap(({ record, parts }) => {
    const entry = assignedBySeq.get(record.seq);
    return entry === undefined ? [] : [{ entry, parts }];
  });
  const cards = await publicCardsOf(planned.flatMap(inVersion1));
  const plans = planned.map((one) => planSealing(context, one, cards));
  for (const plan of plans) noteCards(context, plan);
  const sent = await sendPlans(context, sealPlans(context, plans), limit);
  return [...prepared.flatMap(({ delivery }) => (delivery === undefined ? [] : [delivery])), ...sent];
}

/** Broadcasts plans, each as soon as it is sealed. */
async function sendPlans(
  context: DeliveryContext,
  plans: AsyncIterable<SealedPlan> | Iterable<SealedPlan>,
  limit = pLimit(PARALLEL),
): Promise<readonly Delivery[]> {
  const broadcast = inOrder(context, limit);
  const sent: Promise<Delivery>[] = [];
  for await (const plan of plans) sent.push(sendSealed(plan, broadcast));
  return Promise.all(sent);
}

/** Broadcasts what was sealed ahead. */
export type SendSealed = () => Promise<readonly Delivery[]>;

/**
 * Puts the positions of what a change queues into that change, but for what has a time of its own, and begins to seal it. To be called by
 * the writer of the store before it commits; what it returns sends, and may be called only once the change is stored: what was sealed for
 * one that was not is dropped. Undefined where something has to be asked for first, or a device gets it in version 1: then {@link deliver}
 * does all of it.
 */
export async function sealAhead(context: EngineContext, change: Change): Promise<SendSealed | undefined> {
  const { directory, newestBlock, account } = context;
  const { leaving } = change;
  if (newestBlock.isDue || leaving.length === 0 || leaving.length > MAX_AHEAD) return undefined;
  // The bytes of files are read from the store, and are not there before the commit.
  if (leaving.some(({ task }) => task.kind !== "message")) return undefined;
  const keys = directory.arrivedOf([account.masterPub, ...leaving.map(({ peer }) => peer)]);
  if (keys === undefined) return undefined;
  const round = { ...context, keysOf: async (person: string): Promise<PublishedKeys> => keys.get(person) ?? directory.fetch(person) };
  const prepared: { readonly record: OutboxRecord; readonly parts: readonly Part[] }[] = [];
  for (const record of leaving) {
    const parts = await partsOf(round, record);
    if (parts === undefined) return undefined;
    prepared.push({ record, parts });
  }
  const turns = takeTurns(context, prepared);
  const entries = turns.map((turn): EntryParts => ({ ...turn, seq: turn.record.seq }));
  if (!isInChains(change, entries) || inNeedOfPublic(context, entries).length > 0) return undefined;
  const { assigned } = await assignIn(context, change, { entries, cards: new Map() });
  const plans = entries.flatMap(({ seq, parts }) => {
    const entry = assigned.get(seq);
    return entry === undefined ? [] : [planSealing(context, { entry, parts }, new Map())];
  });
  for (const plan of plans) noteCards(context, plan);
  const sealed = sealAll(context, plans);
  // It may fail before it is waited for, or where it never is.
  sealed.catch(() => undefined);
  return async () => sendPlans(context, await sealed);
}

async function sealAll(context: EngineContext, plans: readonly SealingPlan[]): Promise<readonly SealedPlan[]> {
  const sealed: SealedPlan[] = [];
  for await (const plan of sealPlans(context, plans)) sealed.push(plan);
  return sealed;
}

/** Who has a device without any card is shown to the person. */
function noteCards({ devices }: DeliveryContext, { parts, requests }: SealingPlan): void {
  for (const { to, devices: theirs } of parts)
    for (const device of theirs) {
      const request = requests.find(({ recipients }) => recipients[0] === device);
      if (request !== undefined) devices.noteSealed(to, device, request.pair !== undefined);
    }
}

/** Looks published keys up again, once for each person and only when they are needed. */
function keysInRound({ directory }: DeliveryContext): RecipientContext["keysOf"] {
  const known = new Map<string, Promise<PublishedKeys>>();
  return (person) => {
    const keys = known.get(person) ?? directory.fetch(person);
    known.set(person, keys);
    return keys;
  };
}

type Broadcast = (handed: HandedEnvelope, device: X25519KeyHex) => Promise<Outcome>;

/** Broadcasts envelopes, those of a device one after another: none overtakes one that the device is still waiting for. */
function inOrder(context: DeliveryContext, limit: ReturnType<typeof pLimit>): Broadcast {
  const newest = new Map<X25519KeyHex, Promise<Outcome>>();
  return (handed, device) => {
    const before = newest.get(device);
    const send = async (): Promise<Outcome> => {
      const earlier = await before;
      const isWaiting = earlier?.error !== undefined && !isFinal(earlier.error);
      return isWaiting ? earlier : limit(() => broadcastTo(context, handed, device));
    };
    const outcome = send();
    newest.set(device, outcome);
    return outcome;
  };
}

/** Broadcasts what was sealed of an entry. */
async function sendSealed(plan: SealedPlan, broadcast: Broadcast): Promise<Delivery> {
  const { entry, parts, held } = plan;
  const { seq, peer } = entry.record;
  if (plan.envelopes === undefined) return { seq, error: plan.error };
  const outcomes = await Promise.all(
    plan.envelopes.flatMap((envelope, at) => {
      const request = plan.requests[at];
      const device = request?.recipients[0];
      return request === undefined || device === undefined ? [] : [broadcast({ envelope, request }, device)];
    }),
  );
  const peerDevices = new Set(parts.filter(({ to }) => to === peer).flatMap((part) => part.devices));
  const refused = outcomes.filter(({ error }) => isFinal(error));
  const settled = outcomes.filter(({ error }) => error === undefined || isFinal(error)).map(({ device }) => device);
  const isReached = ({ device, error }: Outcome): boolean => error === undefined && peerDevices.has(device) && !held.includes(device);
  const result: DeliveryResult = {
    resolved: [...settled, ...entry.settled, ...held.filter((device) => !outcomes.some((outcome) => outcome.device === device))],
    reached: [...outcomes.filter(isReached).map(({ device }) => device), ...entry.settled.filter((device) => peerDevices.has(device))],
    held: heldOf(
      entry,
      held.find((device) => peerDevices.has(device)),
    ),
    refusal: refused.map(({ error }) => error).find(isFinal),
    waitingFor: outcomes.find(({ error }) => error !== undefined && !isFinal(error))?.error,
    hasLeft: false,
    isCovered: entry.isCovered,
    // Whether a node had it that did not answer is not known. A prompt of a device that is held up has no words.
    isOpenToTheft: plan.requests.some(({ pair, recipients: [device = ""] }) => pair === undefined && !held.includes(device)),
    handed: outcomes
      // What is refused for good is tried again like what gets lost: after a day.
      .filter(({ device, error }) => !isFinal(error) && (entry.leaving.has(device) || entry.introductions.has(device)))
      .map(({ device, error }) => ({
        ...{ device, isTaken: error === undefined, position: entry.leaving.get(device)?.position },
        ...{ cardId: plan.shownCards.get(device), isIntroduction: entry.introductions.has(device) },
      })),
  };
  return { seq, result };
}

function heldOf({ waiting }: AssignedEntry, device: X25519KeyHex | undefined): HeldDevice | undefined {
  return device === undefined ? undefined : { device, lacks: waiting.includes(device) ? "card" : "key" };
}

interface Outcome {
  readonly device: X25519KeyHex;
  /** Undefined when the node took the envelope. */
  readonly error: unknown;
}

async function broadcastTo(context: DeliveryContext, handed: HandedEnvelope, device: X25519KeyHex): Promise<Outcome> {
  const error: unknown = await handIn(context, handed).then(
    () => undefined,
    (cause: unknown) => cause ?? new Error("The node refused the envelope"),
  );
  return { device, error };
}
