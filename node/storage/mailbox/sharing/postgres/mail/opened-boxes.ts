// Opened boxes as rows.
import type { ReadRule } from "#shared/protocol/mail/box-opening.ts";
import { type Statement, statement } from "../statement-batch.ts";
import type { OpenedBoxRow } from "../view/mail-rows.ts";

/** A row of {@link READ_OPENED}. */
export interface OpenedRow {
  readonly mailbox: string;
  readonly write_key: string;
  readonly read_rule: ReadRule;
  readonly until: number;
  readonly height: number;
  readonly signature: string;
  readonly held_until: number;
}

/** Openings of mailboxes. */
export const READ_OPENED: Statement = statement(
  "read_opened",
  `SELECT encode(mailbox, 'hex') AS mailbox, write_key, read_rule, until, height, signature, held_until
    FROM opened_boxes WHERE mailbox = ANY($1::bytea[])`,
);

/** Writes an opening; a box that is held stays with who brought it, and as long as any of its openings says. */
export const WRITE_OPENED: Statement = statement(
  "write_opened",
  `INSERT INTO opened_boxes (mailbox, write_key, read_rule, until, height, signature, held_until, party, is_foreign)
    VALUES ($1, $2, $3, $4, $5, $6, $4, $7, $8)
    ON CONFLICT (mailbox) DO UPDATE SET write_key = excluded.write_key, read_rule = excluded.read_rule, until = excluded.until,
      height = excluded.height, signature = excluded.signature,
      held_until = CASE WHEN $9 THEN greatest(opened_boxes.held_until, excluded.held_until) ELSE excluded.held_until END,
      party = CASE WHEN $9 THEN opened_boxes.party ELSE excluded.party END,
      is_foreign = CASE WHEN $9 THEN opened_boxes.is_foreign ELSE excluded.is_foreign END`,
);

/** The row in memory. */
export function openedRow({ mailbox, write_key, read_rule, until, height, signature, held_until }: OpenedRow): OpenedBoxRow {
  return {
    opening: { mailbox, writeKey: write_key, read: read_rule, untilSec: until, height, signature },
    heldUntilSec: held_until,
  };
}
