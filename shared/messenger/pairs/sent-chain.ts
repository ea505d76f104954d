// The own chain to another device: positions, the card that each content was sealed to, acknowledgements, and what is sealed again. Pure.
import type { MessageId } from "#shared/content/content.ts";
import type { PairAck, PositionRange } from "#shared/content/pairs/pair-content.ts";
import { type BothClocks, elapsedMs } from "./counted-days.ts";
import { EMPTY_DIGEST, MAX_UNACKNOWLEDGED, type SentChain, type Unacknowledged } from "./pair-state.ts";
import { nextDigest } from "./received-chain.ts";

const DAY_MS = 86_400_000;
/** An acknowledgement that lacks what was sealed so long before means that it is lost. */
export const LACKING_MS = 600_000;
/** Without any acknowledgement contents are sealed again after so many days, and then each last of them. */
export const RETRY_DAYS = [1, 7, 25] as const;
/** So often strangers get a content. */
const MOST_FOR_STRANGERS = 2;
/** What is asked for leaves at once the first time, and then no sooner than after {@link LACKING_MS}, twice as long each time up to this. */
const LONGEST_ASKED_APART_MS = DAY_MS;

/** Contents that are given positions: their ids in order. The oldest that wait make room. `isChunk`: they are chunks of files. */
export function givePlaces(chain: SentChain, ids: readonly MessageId[], now: BothClocks, isChunk = false): SentChain {
  const given = ids.map((id, index) => ({
    position: chain.last + 1 + index,
    id,
    cardId: null,
    sealedAt: now,
    tries: 0,
    isAsked: false,
    isThere: false,
    ...(isChunk && { isChunk }),
  }));
  return bounded({ ...chain, last: chain.last + ids.length, waiting: [...chain.waiting, ...given] });
}

/**
 * Contents of earlier positions wait again: another instance of the other device lacks them. `entries` ascend and are of this chain.
 */
export function waitAgain(chain: SentChain, entries: readonly Pick<Unacknowledged, "position" | "id">[], now: BothClocks): SentChain {
  const known = new Set(chain.waiting.map(({ position }) => position));
  const again = entries.filter(({ position }) => !known.has(position) && position <= chain.last);
  const waiting = [
    ...chain.waiting,
    ...again.map((entry) => ({ ...entry, cardId: null, sealedAt: now, tries: 0, isAsked: true, isThere: false })),
  ];
  return bounded({ ...chain, waiting: waiting.sort((a, b) => a.position - b.position) });
}

/** A content is sealed to a card now. Without a position it says no more than that the card is in use. */
export function noteSealed(chain: SentChain, position: number | undefined, cardId: string, now: BothClocks): SentChain {
  const isNewer = chain.under?.cardId !== cardId;
  const base = isNewer ? Math.max(chain.base, chain.under?.position ?? 0) : chain.base;
  const under = { cardId, position: Math.max(isNewer ? 0 : (chain.under?.position ?? 0), position ?? 0) };
  return { ...noteSealedPublic(chain, position, cardId, now), base, under };
}

/**
 * A content is sealed to a public card now. It says nothing of cards of the pair: what lies under those stays there, and the secret of this one
 * goes by its age alone.
 */
export function noteSealedPublic(chain: SentChain, position: number | undefined, cardId: string, now: BothClocks): SentChain {
  const waiting = chain.waiting.map((entry) => {
    const { isNotTaken: _, ...known } = entry;
    return entry.position === position ? { ...known, cardId, sealedAt: now, tries: entry.tries + 1, isAsked: false } : entry;
  });
  return { ...chain, waiting, sealedAt: now };
}

/**
 * No mailbox took a content that was sealed: it counts as not tried, and is to be sealed again. What was said with it stays said, as a node
 * may have it all the same. `isPublic`: it was sealed to a public card.
 */
export function noteNotTaken(chain: SentChain, position: number, isPublic = false): SentChain {
  const waiting = chain.waiting.map((entry) =>
    entry.position === position
      ? { ...entry, tries: Math.max(0, entry.tries - 1), isAsked: true, ...(isPublic && ({ isNotTaken: true } as const)) }
      : entry,
  );
  return { ...chain, waiting };
}

/** What an acknowledgement says. */
export type AckReading =
  /** It names what this device never sent so: this device was set back, or another one sends in its name. */
  | { readonly kind: "contradiction" }
  /** `lacking`: what another instance of the other device had, and this one does not. */
  | { readonly kind: "read"; readonly chain: SentChain; readonly acked: readonly MessageId[]; readonly lacking: readonly PositionRange[] };

/** Who acknowledges, and when. */
export interface AckOrigin {
  /** Instance of the other device. */
  readonly by: string;
  /** Its author's clock, milliseconds: one that was overtaken by a later one says nothing of what came since. */
  readonly atMs: number;
  /** Counted day on which it is read. */
  readonly day: number;
}

/**
 * Reads an acknowledgement of this chain by an instance of the other device. What another instance had does not count for it, nor what it had
 * itself and has no more: its disk was put back. Either is looked into once a counted day, as everything of 90 days may be sent again for it:
 * until then the acknowledgement only says what need not be sent.
 */
export function readAck(chain: SentChain, ack: PairAck, { by, atMs, day }: AckOrigin, now: BothClocks): AckReading {
  const highest = ack.ranges.at(-1)?.to ?? ack.upTo;
  if (highest > chain.last) return { kind: "contradiction" };
  const digest = digestAt(chain, ack.upTo);
  if (digest !== undefined && digest !== ack.digest) return { kind: "contradiction" };
  const isOfAnother = chain.ackedBy !== null && chain.ackedBy !== by;
  const isNewest = isOfAnother || atMs > chain.ackedAtMs;
  const isNamed = (position: number): boolean =>
    position <= ack.upTo || ack.ranges.some(({ from, to }) => position >= from && position <= to);
  const acked = chain.waiting.filter(({ position, isThere }) => !isThere && isNamed(position));
  const waiting = chain.waiting
    .filter(({ position }) => position > ack.upTo)
    .map((entry): Unacknowledged => {
      const isThere = isNamed(entry.position) || (entry.isThere && !isNewest);
      return { ...entry, isThere, isAsked: !isThere && (entry.isAsked || isLate(entry, now)) };
    });
  const gaps = isOfAnother || (isNewest && ack.upTo < chain.ackedUpTo) ? gapsOf(ack, chain.last) : [];
  const lacking = gaps.filter(({ from, to }) => !areWaiting(waiting, from, to));
  if (lacking.length > 0 && chain.lackedDay !== null && day <= chain.lackedDay)
    return { kind: "read", chain: { ...chain, waiting }, acked: acked.map(({ id }) => id), lacking: [] };
  const isFurther = isNewest || ack.upTo > chain.ackedUpTo;
  const end = isFurther ? { ackedUpTo: ack.upTo, ackedDigest: ack.digest } : {};
  const ackedAtMs = isNewest ? Math.min(atMs, now.ownMs) : chain.ackedAtMs;
  const lackedDay = lacking.length > 0 ? day : chain.lackedDay;
  const next = { ...chain, ...end, ackedBy: by, ackedAtMs, lackedDay, waiting };
  return { kind: "read", chain: next, acked: acked.map(({ id }) => id), lacking };
}

/** What was sealed to these cards did not open: it is sealed again at once. */
export function askForCards(chain: SentChain, cardIds: readonly string[]): SentChain {
  const isLost = ({ cardId }: Unacknowledged): boolean => cardId !== null && cardIds.includes(cardId);
  if (!chain.waiting.some(isLost)) return chain;
  return { ...chain, waiting: chain.waiting.map((entry) => (isLost(entry) ? asked(entry) : entry)) };
}

/** The other device asks for these positions: what waits there is sealed again, each less and less often. */
export function askForPositions(chain: SentChain, positions: readonly number[]): SentChain {
  const named = new Set(positions);
  const isMeant = ({ position, isThere, isAsked, isNotTaken }: Unacknowledged): boolean =>
    named.has(position) && !isThere && (!isAsked || isNotTaken === true);
  if (!chain.waiting.some(isMeant)) return chain;
  return { ...chain, waiting: chain.waiting.map((entry) => (isMeant(entry) ? asked(entry) : entry)) };
}

function asked({ isNotTaken: _, ...entry }: Unacknowledged): Unacknowledged {
  return { ...entry, isAsked: true };
}

/** What is to be sealed again now, to the newest card. `isSilent`: the other device was not heard for long, so it is not tried unasked. */
export function dueAgain(
  { waiting }: SentChain,
  now: BothClocks,
  { isStranger, isSilent }: { readonly isStranger: boolean; readonly isSilent: boolean },
): readonly Unacknowledged[] {
  return waiting.filter(({ isThere, isAsked, tries, sealedAt }) => {
    if (isThere || (isStranger && tries >= MOST_FOR_STRANGERS)) return false;
    if (isAsked && elapsedMs(sealedAt, now) >= askedApartMs(tries)) return true;
    const retryDays = RETRY_DAYS[Math.min(tries, RETRY_DAYS.length) - 1];
    return !isSilent && retryDays !== undefined && elapsedMs(sealedAt, now) >= retryDays * DAY_MS;
  });
}

/** Whoever asks for the same content again and again, and never acknowledges it, is served less and less often. */
function askedApartMs(tries: number): number {
  return tries < 2 ? 0 : Math.min(LACKING_MS * 2 ** (tries - 2), LONGEST_ASKED_APART_MS);
}

/** Own words lie under an earlier card than the newest that is known: a content under that one lets the other device destroy them. */
export function liesUnderEarlierCard({ under, waiting }: SentChain, newestCardId: string): boolean {
  return under !== null && under.cardId !== newestCardId && (under.position > 0 || waiting.length > 0);
}

/** An acknowledgement that comes now and lacks it means that it is lost. */
function isLate({ tries, sealedAt }: Unacknowledged, now: BothClocks): boolean {
  return tries > 0 && elapsedMs(sealedAt, now) >= LACKING_MS;
}

/** Digest of all ids up to a position; undefined where some are not known any more. */
function digestAt({ ackedUpTo, ackedDigest, waiting }: SentChain, position: number): string | undefined {
  if (position === 0) return EMPTY_DIGEST;
  if (ackedDigest === null || position < ackedUpTo) return undefined;
  let digest = ackedDigest;
  let last = ackedUpTo;
  for (const { position: next, id } of waiting) {
    if (next <= ackedUpTo || next > position) continue;
    if (next !== last + 1) return undefined;
    digest = nextDigest(digest, id);
    last = next;
  }
  return last === position ? digest : undefined;
}

function gapsOf({ upTo, ranges }: PairAck, last: number): readonly PositionRange[] {
  const starts = [upTo, ...ranges.map(({ to }) => to)];
  const ends = [...ranges.map(({ from }) => from), last + 1];
  return starts.flatMap((start, index) => {
    const gap = { from: start + 1, to: (ends[index] ?? 0) - 1 };
    return gap.from <= gap.to ? [gap] : [];
  });
}

/** True when each position of a range waits for its acknowledgement anyway. `waiting` ascends. */
function areWaiting(waiting: readonly Unacknowledged[], from: number, to: number): boolean {
  const first = waiting.findIndex(({ position }) => position >= from);
  return first >= 0 && waiting[first]?.position === from && waiting[first + (to - from)]?.position === to;
}

function bounded(chain: SentChain): SentChain {
  const excess = chain.waiting.length - MAX_UNACKNOWLEDGED;
  return excess <= 0 ? chain : { ...chain, waiting: chain.waiting.slice(excess) };
}
