// Reads of mailboxes, each one statement; and what has arrived since, for those that listen.

import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { Envelope, X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { MailboxQuery, MailboxText } from "../../../mailbox-repository.ts";
import { TIMELINE } from "../database-history.ts";
import type { PostgresDatabase } from "../postgres-database.ts";
import { type Call, type Rows, type Statement, statement } from "../statement-batch.ts";
import { mailboxNumber } from "../view/mail-rows.ts";
import { hexOfBuffer, LIST_COLUMNS, type ListedRow, listText } from "./list-text.ts";
import { type OpenedRow, openedRow, READ_OPENED } from "./opened-boxes.ts";

/** What listeners are told of an envelope. */
export type ArrivedEnvelope = Pick<Envelope, "id" | "recipient_pub" | "sender_pub" | "sender_ed25519_pub" | "fee_ut" | "sent_at">;

/** What an item's text is longer than its envelope counts, at most. */
const ITEM_EXTRA_BYTES = 128;
/** A mark that a recipient reads here is written once in this time, s. */
const SEEN_INTERVAL_S = 3_600;

// What does not fit is not read: its ciphertext lies apart from its row.
const LIST = statement(
  "list_mail",
  `WITH box AS (SELECT mailbox, first_day FROM mailboxes WHERE mailbox = $1 AND pub = $2)
    SELECT ${LIST_COLUMNS}, row <= $7 AND (row = 1 OR total <= $8) AS fits,
      CASE WHEN row <= $7 AND (row = 1 OR total <= $8) THEN encode(ciphertext, 'base64') END AS ciphertext
    FROM (SELECT envelopes.*, row_number() OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) AS row,
        sum(bytes + ${ITEM_EXTRA_BYTES}) OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) AS total
      FROM envelopes WHERE mailbox = (SELECT mailbox FROM box) AND received_day >= (SELECT first_day FROM box)
        AND seq > $3 AND received_at > $4 AND ($5 OR NOT is_hidden) ORDER BY seq LIMIT $6) AS page
    ORDER BY seq`,
);
const COUNT = statement("count_mail", "SELECT envelope_count, hidden_count FROM mailboxes WHERE mailbox = $1 AND pub = $2");
const VERSION = statement(
  "mailbox_version",
  `SELECT last_seq, envelope_count, hidden_count, ${TIMELINE} FROM mailboxes WHERE mailbox = $1 AND pub = $2`,
);
const SEE = statement(
  "see_reader",
  `UPDATE mailboxes SET served_at = $3 WHERE mailbox = $1 AND pub = $2 AND served_at < $3 - ${SEEN_INTERVAL_S}`,
);
const READERS = statement(
  "late_readers",
  "SELECT encode(pub, 'hex') AS pub, served_at FROM mailboxes WHERE served_at > $1 ORDER BY served_at DESC LIMIT $2",
);
const LANES = statement("lane_numbers", "SELECT lane, n FROM lanes");
const WOKEN = statement(
  "woken",
  `SELECT wake.lane, wake.n, pubs, seqs FROM unnest($1::int[], $2::bigint[]) AS known (lane, n)
    JOIN wake ON wake.lane = known.lane AND wake.n > known.n ORDER BY wake.lane, wake.n LIMIT 256`,
);
const ARRIVED = statement(
  "arrived",
  `SELECT encode(pub, 'hex') AS recipient_pub, id, encode(sender_pub, 'hex') AS sender_pub,
      encode(sender_ed25519_pub, 'hex') AS sender_ed25519_pub, fee_ut, sent_at
    FROM unnest($1::bigint[], $2::bigint[]) AS asked (mailbox, seq)
    CROSS JOIN LATERAL (SELECT envelopes.* FROM envelopes WHERE envelopes.mailbox = asked.mailbox AND envelopes.seq = asked.seq LIMIT 1) AS found
    JOIN mailboxes ON mailboxes.mailbox = found.mailbox`,
);
const HELD = statement(
  "held_mail",
  `SELECT seq, admit, encode(sender_pub, 'hex') AS sender_pub, encode(sender_ed25519_pub, 'hex') AS sender_ed25519_pub, fee_ut, sent_at
    FROM envelopes WHERE mailbox = $1 AND id = $2 AND is_authentic
      AND received_day >= (SELECT first_day FROM mailboxes WHERE mailbox = $1 AND pub = $3)`,
);
const KNOWN = statement(
  "known_mail",
  `SELECT asked.id,
      EXISTS (SELECT 1 FROM envelopes WHERE envelopes.mailbox = $1 AND envelopes.id = asked.id
        AND received_day >= (SELECT first_day FROM mailboxes WHERE mailboxes.mailbox = $1 AND pub = $2)) AS is_here,
      EXISTS (SELECT 1 FROM deleted_envelopes AS gone WHERE gone.mailbox = $1 AND gone.id = asked.id) AS is_deleted
    FROM unnest($3::text[]) AS asked (id)`,
);
const FORGET_WAKE = forgetting("wake", "written_at");
const FORGET_PROOFS = forgetting("used_proofs", "unix_seconds");
const FORGET_BOXES = forgetting("opened_boxes", "held_until");
const FORGET_SOURCES = statement(
  "forget_sources",
  // Judged by the rows as they are once they are locked: others may have added to them meanwhile.
  `WITH idle AS (SELECT party, tag FROM sources GROUP BY party, tag HAVING sum(waiting_bytes) = 0 AND sum(open_bytes) = 0 LIMIT 10000),
      locked AS (SELECT party, tag, lane, waiting_bytes, open_bytes FROM sources WHERE (party, tag) IN (SELECT party, tag FROM idle)
        FOR UPDATE SKIP LOCKED),
      gone AS (SELECT party, tag FROM locked GROUP BY party, tag HAVING sum(waiting_bytes) = 0 AND sum(open_bytes) = 0)
    DELETE FROM sources USING locked WHERE sources.party = locked.party AND sources.tag = locked.tag AND sources.lane = locked.lane
      AND (sources.party, sources.tag) IN (SELECT party, tag FROM gone)`,
);
const FORGET_MAILBOXES = statement(
  "forget_mailboxes",
  `DELETE FROM mailboxes WHERE mailbox IN (SELECT mailbox FROM mailboxes
    WHERE envelope_count = 0 AND served_at < $1 AND last_seq < $1::bigint * 1000 LIMIT 10000 FOR UPDATE SKIP LOCKED)`,
);

/** A row of `wake`. */
interface WokenRow {
  readonly lane: number;
  readonly n: number;
  readonly pubs: readonly Buffer[];
  readonly seqs: readonly number[];
}

/** What arrived, by lanes. */
export interface Woken {
  /** The last number of each lane. */
  readonly lanes: ReadonlyMap<number, number>;
  readonly arrived: readonly { readonly recipientPub: X25519KeyHex; readonly seq: number }[];
  readonly hasMore: boolean;
}

const MOST_WOKEN = 256;

/** A page of a mailbox, as JSON. */
export async function listMail(database: Pick<PostgresDatabase, "runAll">, query: MailboxQuery): Promise<MailboxText> {
  const [rows = []] = await database.runAll([listCall(query)]);
  return mailboxText(rows, query.recipientPub);
}

/** Reads what {@link mailboxText} makes a page of. */
export function listCall(query: MailboxQuery): Call {
  const { recipientPub, limit, sinceSec = -1, afterSeq = 0, hidesDeleted = false, maxBytes = Number.MAX_SAFE_INTEGER } = query;
  return { query: LIST, values: [...boxKey(recipientPub), afterSeq, sinceSec, !hidesDeleted, limit + 1, limit, maxBytes] };
}

/** A page out of its rows. */
export function mailboxText(given: Rows, recipientPub: X25519KeyHex): MailboxText {
  const rows = given as readonly unknown[] as readonly ListedRow[];
  const fitting = rows.filter(({ fits }) => fits);
  return { items: listText(fitting, recipientPub), count: fitting.length, hasMore: fitting.length < rows.length };
}

/**
 * Stands for all that a list of a mailbox can show: what comes has a higher `seq`, what goes or is hidden changes a figure. A standby that took
 * over without the last changes makes others with the same figures, on another timeline.
 */
export type MailboxVersion = string;

/** Reads what {@link versionOf} makes a version of. */
export function versionCall(recipientPub: X25519KeyHex): Call {
  return { query: VERSION, values: boxKey(recipientPub) };
}

/** The version of a mailbox; that of one that is not there is another one than that of any that is. */
export function versionOf([row]: Rows): MailboxVersion {
  return row === undefined ? "" : `${row.last_seq} ${row.envelope_count} ${row.hidden_count} ${row.timeline}`;
}

/** Envelopes of a mailbox. */
export async function countMail(database: PostgresDatabase, recipientPub: X25519KeyHex, hidesDeleted: boolean): Promise<number> {
  const [row] = await database.run<{ readonly envelope_count: number; readonly hidden_count: number }>(COUNT, boxKey(recipientPub));
  return row === undefined ? 0 : row.envelope_count - (hidesDeleted ? row.hidden_count : 0);
}

/** What is here of an envelope, as far as a write key signs it, with the signature that it came with. */
export interface HeldMail extends Pick<Envelope, "sender_pub" | "sender_ed25519_pub" | "fee_ut" | "sent_at"> {
  readonly seq: number;
  readonly admit: string | null;
}

/** The envelope of an id whose contents it has. */
export async function findHeld(database: PostgresDatabase, recipientPub: X25519KeyHex, id: string): Promise<HeldMail | undefined> {
  const [row] = await database.run<HeldMail>(HELD, [mailboxNumber(recipientPub), id, Buffer.from(recipientPub, "hex")]);
  return row;
}

/** Of ids: those that are neither here nor deleted, and those that are deleted. */
export interface KnownMail {
  readonly missing: ReadonlySet<string>;
  readonly deleted: ReadonlySet<string>;
}

/** What is known here of envelopes by their ids. */
export async function knownMail(database: PostgresDatabase, recipientPub: X25519KeyHex, ids: readonly string[]): Promise<KnownMail> {
  if (ids.length === 0) return { missing: new Set(), deleted: new Set() };
  const rows = await database.run<{ readonly id: string; readonly is_here: boolean; readonly is_deleted: boolean }>(KNOWN, [
    ...boxKey(recipientPub),
    ids,
  ]);
  const idsOf = (some: typeof rows): ReadonlySet<string> => new Set(some.map(({ id }) => id));
  return {
    missing: idsOf(rows.filter(({ is_here, is_deleted }) => !is_here && !is_deleted)),
    deleted: idsOf(rows.filter(({ is_deleted }) => is_deleted)),
  };
}

/** The opening of a mailbox that holds, be it of the past. */
export async function findOpening(database: PostgresDatabase, mailbox: X25519KeyHex): Promise<BoxOpening | undefined> {
  const [row] = await database.run<OpenedRow>(READ_OPENED, [[Buffer.from(mailbox, "hex")]]);
  return row && openedRow(row).opening;
}

/** Notes that a recipient reads here. */
export async function noteReader(database: PostgresDatabase, recipientPub: X25519KeyHex, nowSec: number): Promise<void> {
  await database.run(SEE, [...boxKey(recipientPub), nowSec]);
}

/** Who read here, and when, unix seconds. */
export interface LateReader {
  readonly pub: X25519KeyHex;
  readonly servedAtSec: number;
}

/** Recipients that read here since a time, unix seconds: so many of the latest, the latest last. */
export async function listReaders(database: PostgresDatabase, sinceSec: number, most: number): Promise<readonly LateReader[]> {
  const rows = await database.run<{ readonly pub: X25519KeyHex; readonly served_at: number }>(READERS, [sinceSec, most]);
  return rows.map(({ pub, served_at: servedAtSec }) => ({ pub, servedAtSec })).reverse();
}

/** Where the lanes are. */
export async function readLanes(database: PostgresDatabase): Promise<Map<number, number>> {
  return new Map((await database.run<{ readonly lane: number; readonly n: number }>(LANES)).map(({ lane, n }) => [lane, n]));
}

/** What has arrived beyond positions of lanes: a lane's rows are committed in the order of their numbers, so none is missed. */
export async function readWoken(database: PostgresDatabase, known: ReadonlyMap<number, number>): Promise<Woken> {
  const rows = await database.run<WokenRow>(WOKEN, [[...known.keys()], [...known.values()]]);
  const lanes = new Map(known);
  for (const { lane, n } of rows) lanes.set(lane, n);
  const arrived = rows.flatMap(({ pubs, seqs }) => pubs.map((pub, index) => ({ recipientPub: hexOfBuffer(pub), seq: seqs[index] ?? 0 })));
  return { lanes, arrived, hasMore: rows.length === MOST_WOKEN };
}

/** Envelopes by mailbox and position, of those that are still there. */
export async function readArrived(database: PostgresDatabase, places: Woken["arrived"]): Promise<readonly ArrivedEnvelope[]> {
  if (places.length === 0) return [];
  const values = [places.map(({ recipientPub }) => mailboxNumber(recipientPub)), places.map(({ seq }) => seq)];
  return await database.run<ArrivedEnvelope>(ARRIVED, values);
}

/** Times before which things are forgotten, unix seconds. */
export interface ForgetBefore {
  readonly wakeSec: number;
  readonly proofsSec: number;
  readonly boxesSec: number;
  readonly readersSec: number;
}

/** Rows that one statement forgets: it ends long before it takes too long, however much there is. */
const FORGOTTEN_ROWS = 20_000;

/** Forgets what its time is over for, so many rows at a time. Any process may; several at once do each other no harm. */
export async function forgetOld(
  database: Pick<PostgresDatabase, "run">,
  before: ForgetBefore,
  { most = FORGOTTEN_ROWS }: { readonly most?: number } = {},
): Promise<void> {
  for (const [query, beforeSec] of [
    [FORGET_WAKE, before.wakeSec],
    [FORGET_PROOFS, before.proofsSec],
    [FORGET_BOXES, before.boxesSec],
  ] as const)
    while ((await database.run(query, [beforeSec, most])).length === most);
  await database.run(FORGET_SOURCES);
  await database.run(FORGET_MAILBOXES, [before.readersSec]);
}

/** Gives a row for each that is gone. */
function forgetting(table: string, time: string): Statement {
  const old = `SELECT ctid FROM ${table} WHERE ${time} < $1 LIMIT $2 FOR UPDATE SKIP LOCKED`;
  return statement(`forget_${table}`, `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(${old})) RETURNING 1 AS gone`);
}

function boxKey(recipientPub: X25519KeyHex): readonly [string, Buffer] {
  return [mailboxNumber(recipientPub), Buffer.from(recipientPub, "hex")];
}
