// Rows of mailboxes in PostgreSQL as they are held in memory, and the number that stands for a mailbox.
import { hash } from "node:crypto";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Room } from "../../../waiting-envelopes.ts";

/** A mailbox that a transaction has locked. */
export interface BoxRow {
  readonly number: string;
  lastSeq: number;
  count: number;
  bytes: number;
  hidden: number;
  readonly firstDay: number;
  /** When its owner read here last, unix seconds; 0 for never. */
  readonly servedAtSec: number;
}

/** An envelope without its content. */
export interface EnvelopeRow {
  readonly recipientPub: X25519KeyHex;
  readonly id: string;
  readonly seq: number;
  readonly day: number;
  readonly bytes: number;
  readonly feeUt: number;
  /** Null for one that was read. */
  readonly room: Room | null;
  readonly isHidden: boolean;
  readonly isAuthentic: boolean;
  readonly party: string;
  readonly tag: string;
  /** Master key of the sender, hex, or "". */
  readonly sender: string;
}

/** An opened box with what only the mailbox knows of it. */
export interface OpenedBoxRow {
  readonly opening: BoxOpening;
  readonly heldUntilSec: number;
}

/** Seconds of a day. */
export const DAY_S = 86_400;

/** Day of a time, counted from 1970. */
export function dayOf(atSec: number): number {
  return Math.floor(atSec / DAY_S);
}

/** Number of a mailbox: eight bytes of the hash of its key, as a signed decimal. */
export function mailboxNumber(recipientPub: X25519KeyHex): string {
  return hash("sha256", Buffer.from(recipientPub, "hex"), "buffer").readBigInt64BE().toString();
}

/** Name of an envelope over all mailboxes. */
export function placeOf(recipientPub: X25519KeyHex, id: string): string {
  return `${recipientPub} ${id}`;
}
