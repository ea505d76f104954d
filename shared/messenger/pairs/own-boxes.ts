// Mailboxes of this device for one person each: which there are, which is told, which are closed. Pure; keys are the keyring's.
import type { BoxName } from "#shared/keyring/keyring-api.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type BothClocks, elapsedMs } from "./counted-days.ts";

const DAY_MS = 86_400_000;
/** A new box is used after so many days. */
export const BOX_DAYS = 28;
/** Boxes for one person that are read: of devices that were away for long, mail comes in earlier ones. */
export const MAX_BOXES_PER_PERSON = 3;
/** People for whom boxes are kept; those who were first have theirs. */
export const MAX_BOX_PEOPLE = 1_024;
const DAY_S = 86_400;
/** A box is opened for so long and a part of a day, s: a node whose clock is a day behind takes that, too. */
const OPEN_S = 28 * DAY_S;
/** Heights of openings are multiples of this: nodes take what is 600 blocks from theirs. */
const HEIGHTS_APART = 256;
/** It is opened again after so long. */
const OPENED_APART_MS = 20 * 3_600_000;

/** A box that is read. */
export interface OwnBoxEntry {
  /** Rises with each box for the person: the period of {@link BOX_DAYS} in which it was made, or later. */
  readonly generation: number;
  readonly mailbox: X25519KeyHex;
  /** Hex of the Ed25519 seed that signs envelopes for it. */
  readonly writeSeed: string;
  /** When it was made; boxes that were stored before this was do not have it. */
  readonly madeAt?: BothClocks;
  /** When the own node opened it last; null before. */
  readonly openedAt: BothClocks | null;
}

/** Boxes for one person, as they are stored. */
export interface PersonBoxes {
  readonly peer: PublicKeyHex;
  /** At most {@link MAX_BOXES_PER_PERSON}, the newest last. */
  readonly boxes: readonly OwnBoxEntry[];
  /** Numbers of boxes that are still to be closed at the node. */
  readonly closing: readonly number[];
  /** Highest number that was closed; −1 before. */
  readonly closedUpTo: number;
}

/** A person for whom there is no box yet. */
export function noBoxes(peer: PublicKeyHex): PersonBoxes {
  return { peer, boxes: [], closing: [], closedUpTo: -1 };
}

/**
 * Number of the box that is to be made now; undefined where the newest is not old. It follows from the day, by the slower clock, so a store that
 * was put back comes to the same one. Each person's changes on another day.
 */
export function dueGeneration({ peer, boxes, closedUpTo }: PersonBoxes, now: BothClocks): number | undefined {
  const newest = boxes.at(-1);
  const generation = generationAt({ peer, closedUpTo }, now);
  if (newest === undefined || generation === undefined || generation > newest.generation) return generation;
  return isAhead(newest, generation) && isOld(newest, now) ? newest.generation + 1 : undefined;
}

/** Number that a box has that is made now. */
function generationAt({ peer, closedUpTo }: Pick<PersonBoxes, "peer" | "closedUpTo">, { ownMs, blockMs }: BothClocks): number | undefined {
  if (blockMs <= 0 || ownMs <= 0) return undefined;
  const day = Math.floor(Math.min(ownMs, blockMs) / DAY_MS) + (Number.parseInt(peer.slice(0, 8), 16) % BOX_DAYS);
  return Math.max(Math.floor(day / BOX_DAYS), closedUpTo + 1);
}

/** Both clocks were ahead when it was made: until they are there again, boxes are made by what has passed since. */
function isAhead(newest: OwnBoxEntry, generation: number): boolean {
  return newest.generation > generation;
}

/** True when {@link BOX_DAYS} have passed since it was made; a block that is ahead of the own clock says nothing about that. */
function isOld({ madeAt }: OwnBoxEntry, { ownMs, blockMs }: BothClocks): boolean {
  if (madeAt === undefined) return false;
  const [own, block] = [ownMs - madeAt.ownMs, blockMs - madeAt.blockMs];
  return (blockMs > ownMs + DAY_MS ? own : Math.min(own, block)) >= BOX_DAYS * DAY_MS;
}

/** The record with the time of its newest box by clocks that have gone back since, so that it becomes old. The same record where they have not. */
export function withClocks(record: PersonBoxes, now: BothClocks): PersonBoxes {
  const newest = record.boxes.at(-1);
  const generation = generationAt(record, now);
  if (newest === undefined || generation === undefined || !isAhead(newest, generation)) return record;
  const { madeAt = now } = newest;
  const next = { ownMs: Math.min(madeAt.ownMs, now.ownMs), blockMs: Math.min(madeAt.blockMs, now.blockMs) };
  if (next.ownMs === newest.madeAt?.ownMs && next.blockMs === newest.madeAt.blockMs) return record;
  return { ...record, boxes: [...record.boxes.slice(0, -1), { ...newest, madeAt: next }] };
}

/** The record with a box more; the oldest is read no more. */
export function withBox(record: PersonBoxes, box: Omit<OwnBoxEntry, "openedAt">): PersonBoxes {
  return { ...record, boxes: [...record.boxes, { ...box, openedAt: null }].slice(-MAX_BOXES_PER_PERSON) };
}

/** The person is blocked: all boxes are closed, and the next one has another number. The same record where there is none. */
export function withAllClosed(record: PersonBoxes): PersonBoxes {
  const numbers = record.boxes.map(({ generation }) => generation);
  if (numbers.length === 0) return record;
  return { ...record, boxes: [], closing: [...record.closing, ...numbers], closedUpTo: Math.max(record.closedUpTo, ...numbers) };
}

/**
 * Until when a box is opened, unix seconds, and at which height: the same for all devices on a day, so nothing in an opening says which boxes are
 * of one. A closing is later than every opening of its day.
 */
export function openingTerms(ownMs: number, height: number, isClosing: boolean): { readonly untilSec: number; readonly height: number } {
  const untilSec = (Math.floor(ownMs / DAY_MS) + 1) * DAY_S + OPEN_S + Number(isClosing);
  return { untilSec, height: height - (height % HEIGHTS_APART) };
}

/** The node has opened boxes. */
export function withOpened(record: PersonBoxes, mailboxes: ReadonlySet<X25519KeyHex>, now: BothClocks): PersonBoxes {
  return { ...record, boxes: record.boxes.map((box) => (mailboxes.has(box.mailbox) ? { ...box, openedAt: now } : box)) };
}

/** True for a box that is to be opened, for the first time or again. A clock that jumped opens it once more. */
export function isOpeningDue({ openedAt }: OwnBoxEntry, now: BothClocks): boolean {
  return openedAt === null || elapsedMs(openedAt, now) >= OPENED_APART_MS;
}

/**
 * Boxes that are to be opened now: those that a node has opened before first. A node that has no room for others takes them all the same, and
 * they stay open.
 */
export function openingsDue(records: readonly PersonBoxes[], now: BothClocks): readonly Pick<BoxName, "peer" | "generation">[] {
  const due = records.flatMap(({ peer, boxes }) => boxes.filter((box) => isOpeningDue(box, now)).map((box) => ({ ...box, peer })));
  const again = due.filter(({ openedAt }) => openedAt !== null);
  return [...again, ...due.filter(({ openedAt }) => openedAt === null)].map(({ peer, generation }) => ({ peer, generation }));
}

/** The box that the person's devices are told: the newest that a node has opened, and that is open by either clock. */
export function boxToTell({ boxes }: PersonBoxes, now: BothClocks): OwnBoxEntry | undefined {
  return boxes.findLast(({ openedAt }) => openedAt !== null && elapsedMs(openedAt, now) < OPEN_S * 1000);
}
