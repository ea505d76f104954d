// What leaves in pairs beside what the outbox sends: contents that are sealed again, acknowledgements that nothing else carries, and cards
// that are shown in version 1. It follows from the stored state of each pair, so none of it is queued.
import type { InstanceCard, KnownBody } from "#shared/content/content.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicCard } from "#shared/protocol/pairs/public-card.ts";
import type { Change } from "../changes/change.ts";
import { introduce, type LeavingContent, leaveNow, putLeaving } from "../changes/pairs/leave-contents.ts";
import { usedAtMs } from "../changes/pairs/pair-context.ts";
import { wholeOf } from "../changes/pairs/whole-sent.ts";
import { newId, type SentRecord } from "../model/records.ts";
import type { BothClocks } from "../pairs/counted-days.ts";
import { isBound, type PairRecord, shownCardOf } from "../pairs/pair-record.ts";
import type { Unacknowledged } from "../pairs/pair-state.ts";
import { isMarkDue, isSilent, leaveToFormer, mayGetPublic, needsIntroduction, prefersPublic } from "../pairs/send-content.ts";
import { dueAgain } from "../pairs/sent-chain.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { bytesOf, type Part, partOfSent } from "./delivery-parts.ts";

/** Contents of one pair in one round. */
const MAX_AT_ONCE = 32;

/** What is to leave in a pair now. */
export interface PairWork {
  readonly again: readonly Unacknowledged[];
  /** To the instance before the present one of the other device. */
  readonly asksFormer: boolean;
  readonly isMarkDue: boolean;
  /** Positions of the other device's chain to ask for. */
  readonly asks: readonly number[];
  readonly isIntroductionDue: boolean;
}

/** Something that leaves, with what becomes of it. */
export interface PairDeparture {
  readonly device: X25519KeyHex;
  readonly part: Part;
  /** Sealed to a card; undefined for what is written in version 1. */
  readonly leaving: LeavingContent | undefined;
  readonly introduction: InstanceCard | undefined;
  /** What is written in version 1 is sealed to this one of the device; undefined where no valid one is known. */
  readonly publicCard?: PublicCard | undefined;
}

/** What is due in a pair; undefined where nothing is. Nothing leaves by itself for a person who is blocked. */
export function workOf(context: EngineContext, record: PairRecord, now: BothClocks): PairWork | undefined {
  const { account, registry, outbox, pairs } = context;
  const { peer, device, state } = record;
  const isOwn = peer === account.masterPub;
  const hasShownCard = state.theirs?.card != null;
  if (!hasShownCard || (!isOwn && registry.isBlocked(peer))) return undefined;
  const isStranger = !isOwn && !registry.isKnown(peer);
  const usedMs = usedAtMs(context, peer, now);
  // A receipt that is about to leave acknowledges as well.
  const isDue = isMarkDue(state, now, usedMs) && !outbox.holdsReceiptFor(peer, device);
  const fresh = state.sent.waiting.filter(({ tries, isThere }) => tries === 0 && !isThere);
  const late = dueAgain(state.sent, now, { isStranger, isSilent: isSilent(state, now) });
  const due = [...new Set([...fresh, ...late])];
  const onTheirWay = due.length === 0 ? new Set() : outbox.contentsFor(device);
  const again = due.filter(({ id }) => !onTheirWay.has(id)).slice(0, MAX_AT_ONCE);
  // The first time it goes along with a content that leaves soon, unless none does. Who has shown a card and does not know one of this
  // device says so by writing version 1: until then nothing is shown again and again.
  const isLater = state.introducedAt !== null || state.after !== null || isDue;
  const isIntroductionDue = !isStranger && isLater && needsIntroduction(state, now, usedMs);
  const asks = isStranger ? [] : pairs.gaps.due(record, now.ownMs);
  const toSeal = isBound(record) ? again : [];
  const isToMark = isDue && toSeal.length + asks.length === 0;
  const work = { again: toSeal, asksFormer: state.asksFormer, isMarkDue: isToMark, asks, isIntroductionDue };
  const isSomethingDue = work.again.length + work.asks.length > 0 || work.asksFormer || work.isMarkDue || isIntroductionDue;
  return isSomethingDue ? work : undefined;
}

/** True when something of it is better sealed to a public card of the device. */
export function wantsPublic(record: PairRecord, { again }: PairWork, now: BothClocks): boolean {
  const places = [undefined, ...again.map(({ position }) => position)];
  return mayGetPublic(record) && places.some((place) => prefersPublic(record.state, place, now));
}

/** Does what is due in a pair, in the change that stores it before anything leaves. */
export async function departPair(
  context: EngineContext,
  change: Change,
  device: X25519KeyHex,
  publicCard: PublicCard | undefined,
): Promise<readonly PairDeparture[]> {
  const record = change.pair(device);
  const now = context.days.now();
  const work = record && workOf(context, record, now);
  if (record === undefined || work === undefined) return [];
  const departures: PairDeparture[] = [];
  if (work.isIntroductionDue) departures.push(...departIntroduction(change, record, { now, publicCard }));
  const current = change.pair(device) ?? record;
  // Who has no card to show writes version 1: nothing could be answered.
  if (!current.isProven && shownCardOf(current) === undefined) return departures;
  if (work.asksFormer) departures.push(...departToFormer(context, change, current));
  for (const entry of work.again) departures.push(...(await departAgain(context, change, { device, entry, publicCard })));
  const mark = (body: KnownBody): readonly PairDeparture[] => departMark(context, change, { device, body, publicCard });
  if (work.isMarkDue) departures.push(...mark({ kind: "mark" }));
  const chain = current.state.theirs?.chain;
  if (work.asks.length === 0 || chain === undefined) return departures;
  context.pairs.gaps.noteAsked(device, now.ownMs);
  return [...departures, ...mark({ kind: "resend", stream: chain.instance, positions: work.asks })];
}

function departIntroduction(
  change: Change,
  record: PairRecord,
  { now, publicCard }: Pick<PairDeparture, "publicCard"> & { readonly now: BothClocks },
): readonly PairDeparture[] {
  const introduction = introduce(change, record, now);
  const part = wordlessPart(record, { kind: "mark" });
  if (introduction === undefined) return [];
  // Shown again, it goes under the key that a device keeps for good: one whose disk was put back lacks the secret of its public card, too.
  const isFirst = record.state.introducedAt === null;
  return [{ device: record.device, part, leaving: undefined, introduction, publicCard: isFirst ? publicCard : undefined }];
}

function departToFormer({ random }: EngineContext, change: Change, record: PairRecord): readonly PairDeparture[] {
  const id = newId(random);
  const leaving = putLeaving(change, record, { id, position: undefined, step: leaveToFormer(record.state) });
  return leaving === undefined
    ? []
    : [{ device: record.device, part: wordlessPart(record, { kind: "mark" }), leaving, introduction: undefined }];
}

interface Departing {
  readonly device: X25519KeyHex;
  /** A valid one of the device, for what is better sealed to it. */
  readonly publicCard: PublicCard | undefined;
}

function departMark(
  context: EngineContext,
  change: Change,
  { device, body, publicCard }: Departing & { readonly body: KnownBody },
): readonly PairDeparture[] {
  const record = change.pair(device);
  const leaving = record && leaveNow(context, change, record, { id: newId(context.random), position: undefined, publicCard });
  if (record === undefined || leaving === undefined) return [];
  return [{ device, part: wordlessPart(record, body), leaving, introduction: undefined }];
}

/** A content is sealed again under its position; what is not there any more says so. */
async function departAgain(
  context: EngineContext,
  change: Change,
  { device, entry: { position, id }, publicCard }: Departing & { readonly entry: Unacknowledged },
): Promise<readonly PairDeparture[]> {
  const record = change.pair(device);
  if (record === undefined) return [];
  const { store, clock } = context;
  const { instance } = record.state;
  const sent = await store.readSent(device, position, instance);
  const whole = await wholeOf(context, change, sent);
  const part = whole && (await partOf(context, record, whole));
  if (sent !== undefined) await change.batch.putPairSent({ device, instance, position }, sent, clock.nowMs());
  const leaving = leaveNow(context, change, record, { id, position, publicCard });
  if (leaving === undefined) return [];
  const gone = wordlessPart(record, { kind: "resend.gone", stream: instance, positions: [position], ids: [id] });
  return [{ device, part: part ?? gone, leaving, introduction: undefined }];
}

async function partOf(context: EngineContext, { peer, device }: PairRecord, sent: SentRecord): Promise<Part | undefined> {
  const me = peer === context.account.masterPub ? peer : undefined;
  const content = partOfSent(sent, me, await bytesOf(context, sent.task));
  return content && { ...content, devices: [device] };
}

function wordlessPart({ peer, device }: PairRecord, body: KnownBody): Part {
  return { to: peer, devices: [device], body, identity: undefined };
}
