// Reads into memory what a transaction needs of the mailboxes, and locks those that it may change.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Room } from "../../../waiting-envelopes.ts";
import type { PostgresSession } from "../client-session.ts";
import { type Call, type Rows, statement } from "../statement-batch.ts";
import { type Lack, type LoadedMail, nothingLoaded, oldestKey, type SourceKind, type Totals } from "../view/loaded-mail.ts";
import { type BoxRow, dayOf, type EnvelopeRow, mailboxNumber, placeOf } from "../view/mail-rows.ts";
import { type OpenedRow, openedRow, READ_OPENED } from "./opened-boxes.ts";

/** What a piece of work is about. */
export interface MailKeys {
  /** Mailboxes that get mail: made where there are none. */
  readonly receiving: readonly X25519KeyHex[];
  /** Mailboxes that something is done to where they are there. */
  readonly present: readonly X25519KeyHex[];
  /** Envelopes that are looked for. */
  readonly envelopes: readonly { readonly recipientPub: X25519KeyHex; readonly id: string }[];
}

/** The first `seq` of a mailbox is its time of creation times this: one that is made again goes on above what it had. */
const SEQ_PER_SECOND = 1_000;
/** Days in which a deletion is looked for. */
const DELETED_DAYS = 40;
/** Rows that are read at once where mail of others makes room. */
const OLDEST_ROWS = 2_048;
/** Key of the lock under which boxes are opened. */
const OPENING_LOCK = 0x50_52_4c_03;
/** Parties that are read with their clients. */
const LARGEST_PARTIES = 64;

const ENVELOPE =
  "seq, received_day, bytes, fee_ut, room, is_hidden, is_authentic, id, party, tag, encode(sender_ed25519_pub, 'hex') AS sender";
const BOX = "mailbox::text AS number, encode(pub, 'hex') AS pub, last_seq, bytes, envelope_count, hidden_count, first_day, served_at";
const LOCK = statement("lock_mailboxes", `SELECT ${BOX} FROM mailboxes WHERE mailbox = ANY($1::bigint[]) ORDER BY mailbox FOR UPDATE`);
const CREATE = statement(
  "create_mailboxes",
  `INSERT INTO mailboxes (mailbox, pub, last_seq, bytes, served_at, envelope_count, hidden_count, first_day)
    SELECT mailbox, pub, $3, 0, 0, 0, 0, $4 FROM unnest($1::bigint[], $2::bytea[]) AS made (mailbox, pub) ORDER BY mailbox
    ON CONFLICT DO NOTHING`,
);
// LATERAL: each name leads to its row by the index, whatever the planner thinks of their number.
const FIND = statement(
  "find_envelopes",
  `SELECT asked.pub, found.* FROM unnest($1::bigint[], $2::text[], $3::text[]) AS asked (mailbox, pub, id)
    CROSS JOIN LATERAL (SELECT first_day FROM mailboxes WHERE mailboxes.mailbox = asked.mailbox) AS box
    CROSS JOIN LATERAL (SELECT ${ENVELOPE} FROM envelopes
      WHERE mailbox = asked.mailbox AND envelopes.id = asked.id AND received_day >= box.first_day LIMIT 1) AS found`,
);
const FIND_DELETED = statement(
  "find_deleted",
  `SELECT asked.pub, asked.id FROM unnest($1::bigint[], $2::text[], $3::text[]) AS asked (mailbox, pub, id)
    CROSS JOIN LATERAL (SELECT 1 FROM deleted_envelopes AS gone
      WHERE gone.mailbox = asked.mailbox AND gone.id = asked.id AND deleted_day >= $4 LIMIT 1) AS found`,
);
const TOTALS = statement(
  "totals",
  "SELECT sum(envelope_count)::bigint AS count, sum(bytes)::bigint AS bytes, sum(open_bytes)::bigint AS open_bytes FROM lanes",
);
const WAITING = statement(
  "waiting",
  `SELECT ${ENVELOPE} FROM envelopes WHERE mailbox = $1 AND received_day >= $2 AND room IN (0, 1) ORDER BY seq`,
);
const OPEN_USAGE = statement(
  "open_usage",
  `SELECT count(*) AS count, coalesce(sum(bytes), 0)::bigint AS bytes FROM envelopes WHERE mailbox = $1 AND received_day >= $2 AND room = 2`,
);
const OPENED_COUNTS = statement(
  "opened_counts",
  `SELECT count(*) AS count, count(*) FILTER (WHERE is_foreign) AS foreign, count(*) FILTER (WHERE party = $1) AS of_party
    FROM opened_boxes WHERE held_until > $2`,
);
const LARGEST: Readonly<Record<SourceKind, ReturnType<typeof statement>>> = { waiting: largest("waiting"), open: largest("open") };
const OLDEST = statement(
  "oldest",
  `SELECT encode(pub, 'hex') AS pub, found.* FROM (
    SELECT mailbox, received_at, ${ENVELOPE} FROM envelopes WHERE party = $1 AND tag = $2 AND room = ANY($3::smallint[])
      ORDER BY received_at, seq LIMIT ${OLDEST_ROWS}
    ) AS found JOIN mailboxes USING (mailbox) ORDER BY received_at, seq`,
);
const OLDEST_READ = statement(
  "oldest_read",
  `SELECT encode(pub, 'hex') AS pub, found.* FROM (
    SELECT mailbox, received_at, ${ENVELOPE} FROM envelopes WHERE room IS NULL ORDER BY received_at, mailbox, seq LIMIT ${OLDEST_ROWS}
    ) AS found JOIN mailboxes USING (mailbox) ORDER BY received_at, mailbox, seq`,
);

interface Row {
  readonly pub?: string;
  readonly seq: number;
  readonly received_day: number;
  readonly bytes: number;
  readonly fee_ut: number;
  readonly room: Room | null;
  readonly is_hidden: boolean;
  readonly is_authentic: boolean;
  readonly id: string;
  readonly party: string;
  readonly tag: string;
  readonly sender: string;
}

type OpenedCountsLack = Extract<Lack, { readonly type: "opened-counts" }>;

interface StoredBox {
  readonly number: string;
  readonly pub: string;
  readonly last_seq: number;
  readonly bytes: number;
  readonly envelope_count: number;
  readonly hidden_count: number;
  readonly first_day: number;
  readonly served_at: number;
}

/** Reads and locks what the keys name, behind what `first` does; gives the rows of that too. */
export async function loadMail(
  session: PostgresSession,
  keys: MailKeys,
  { isAlone, nowSec, first }: { readonly isAlone: boolean; readonly nowSec: number; readonly first: readonly Call[] },
): Promise<{ readonly loaded: LoadedMail; readonly firstRows: readonly Rows[] }> {
  const pubs = [...new Set([...keys.receiving, ...keys.present])];
  const rows = await session.runAll([...first, { query: TOTALS }, lockCall(pubs), ...contentCalls(pubs, keys.envelopes, nowSec)]);
  const [totals = [], locked = [], ...contents] = rows.slice(first.length);
  const loaded = nothingLoaded(totalsOf(totals), isAlone);
  addBoxes(loaded.boxes, locked);
  for (const { recipientPub, id } of keys.envelopes) loaded.envelopes.set(placeOf(recipientPub, id), undefined);
  addContents(loaded, contents);
  const missing = new Set(keys.receiving.filter((pub) => !loaded.boxes.has(pub)));
  if (missing.size > 0) await create(session, loaded, { missing, envelopes: keys.envelopes, nowSec });
  return { loaded, firstRows: rows.slice(0, first.length) };
}

/** Reads what a view lacks. */
export async function loadLack(session: PostgresSession, loaded: LoadedMail, lack: Exclude<Lack, { readonly type: "day" }>): Promise<void> {
  switch (lack.type) {
    case "waiting": {
      const rows = await session.run<Row>(WAITING, boxValues(loaded, lack.recipientPub));
      loaded.waiting.set(lack.recipientPub, remember(loaded, rows, lack.recipientPub));
      return;
    }
    case "open-usage": {
      const [usage] = await session.run<{ readonly count: number; readonly bytes: number }>(
        OPEN_USAGE,
        boxValues(loaded, lack.recipientPub),
      );
      loaded.openUsage.set(lack.recipientPub, usage ?? { count: 0, bytes: 0 });
      return;
    }
    case "opened-counts":
      return await loadOpenedCounts(session, loaded, lack);
    case "largest":
      loaded.sources.set(lack.kind, await readLargest(session, lack.kind, lack.parties));
      return;
    case "oldest": {
      const rooms = lack.kind === "open" ? [2] : [0, 1];
      const rows = await session.run<Row>(OLDEST, [lack.party, lack.tag, rooms]);
      await lock(session, loaded.boxes, missingBoxes(loaded, rows));
      loaded.oldest.set(oldestKey(lack.kind, lack.party, lack.tag), remember(loaded, rows));
      return;
    }
    case "oldest-read": {
      const rows = await session.run<Row>(OLDEST_READ, []);
      await lock(session, loaded.boxes, missingBoxes(loaded, rows));
      loaded.oldestRead = remember(loaded, rows);
      return;
    }
    default:
      lack satisfies never;
  }
}

/** Figures of all mailboxes together. */
export async function readTotals(session: Pick<PostgresSession, "run">): Promise<Totals> {
  return totalsOf(await session.run(TOTALS));
}

function totalsOf(rows: readonly object[]): Totals {
  const [row] = rows as readonly { readonly count: number; readonly bytes: number; readonly open_bytes: number }[];
  return { count: row?.count ?? 0, bytes: row?.bytes ?? 0, openBytes: row?.open_bytes ?? 0 };
}

/** One transaction at a time opens boxes: their number is exact. */
async function loadOpenedCounts(session: PostgresSession, loaded: LoadedMail, { party, nowSec }: OpenedCountsLack): Promise<void> {
  await session.exec(`SELECT pg_advisory_xact_lock(${OPENING_LOCK})`);
  const [row] = await session.run<{ readonly count: number; readonly foreign: number; readonly of_party: number }>(OPENED_COUNTS, [
    party,
    nowSec,
  ]);
  // A gateway keeps nothing for others, so nothing comes to it through carriers.
  loaded.openedCounts.set(party, { all: row?.count ?? 0, foreign: row?.foreign ?? 0, carried: 0, ofParty: row?.of_party ?? 0 });
}

function boxValues(loaded: LoadedMail, recipientPub: X25519KeyHex): readonly unknown[] {
  return [mailboxNumber(recipientPub), loaded.boxes.get(recipientPub)?.firstDay ?? 0];
}

async function lock(session: PostgresSession, boxes: Map<X25519KeyHex, BoxRow>, pubs: readonly X25519KeyHex[]): Promise<void> {
  if (pubs.length > 0) addBoxes(boxes, (await session.runAll([lockCall(pubs)]))[0] ?? []);
}

function lockCall(pubs: readonly X25519KeyHex[]): Call {
  return { query: LOCK, values: [pubs.map(mailboxNumber)] };
}

function addBoxes(boxes: Map<X25519KeyHex, BoxRow>, rows: Rows): void {
  for (const row of rows as readonly unknown[] as readonly StoredBox[])
    boxes.set(row.pub, {
      number: row.number,
      lastSeq: row.last_seq,
      count: row.envelope_count,
      bytes: row.bytes,
      hidden: row.hidden_count,
      firstDay: row.first_day,
      servedAtSec: row.served_at,
    });
}

/** Another process may have made them since they were looked for: what it put there is read once they are locked. */
async function create(
  session: PostgresSession,
  loaded: LoadedMail,
  { missing, envelopes, nowSec }: Pick<MailKeys, "envelopes"> & { readonly missing: ReadonlySet<X25519KeyHex>; readonly nowSec: number },
): Promise<void> {
  const pubs = [...missing];
  const keys = pubs.map((pub) => Buffer.from(pub, "hex"));
  const theirs = envelopes.filter(({ recipientPub }) => missing.has(recipientPub));
  const [, locked = [], ...contents] = await session.runAll([
    { query: CREATE, values: [pubs.map(mailboxNumber), keys, nowSec * SEQ_PER_SECOND, dayOf(nowSec)] },
    lockCall(pubs),
    ...contentCalls(pubs, theirs, nowSec),
  ]);
  addBoxes(loaded.boxes, locked);
  addContents(loaded, contents);
}

/** Finds envelopes, deletions of them, and how mailboxes are opened: {@link addContents} takes the rows. */
function contentCalls(pubs: readonly X25519KeyHex[], asked: MailKeys["envelopes"], nowSec: number): readonly Call[] {
  const names = [asked.map(({ recipientPub }) => mailboxNumber(recipientPub)), asked.map(({ recipientPub }) => recipientPub)];
  const values = [...names, asked.map(({ id }) => id)];
  return [
    { query: FIND, values },
    { query: FIND_DELETED, values: [...values, dayOf(nowSec) - DELETED_DAYS] },
    { query: READ_OPENED, values: [pubs.map((pub) => Buffer.from(pub, "hex"))] },
  ];
}

function addContents(loaded: LoadedMail, [found = [], deleted = [], opened = []]: readonly Rows[]): void {
  remember(loaded, found as readonly unknown[] as readonly Row[]);
  for (const { pub, id } of deleted) loaded.deleted.add(placeOf(String(pub), String(id)));
  for (const row of opened as readonly unknown[] as readonly OpenedRow[]) loaded.openings.set(row.mailbox, openedRow(row));
}

async function readLargest(
  session: PostgresSession,
  kind: SourceKind,
  parties: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  const sources = new Map<string, Map<string, number>>(parties.map((party) => [party, new Map()]));
  const rows = await session.run<{ readonly party: string; readonly tag: string; readonly bytes: number }>(LARGEST[kind], [parties]);
  for (const { party, tag, bytes } of rows) sources.set(party, (sources.get(party) ?? new Map<string, number>()).set(tag, bytes));
  return sources;
}

function largest(kind: SourceKind): ReturnType<typeof statement> {
  const figure = `${kind}_bytes`;
  return statement(
    `largest_${kind}`,
    `SELECT party, tag, sum(${figure})::bigint AS bytes FROM sources WHERE party = ANY($1::text[]) OR party IN
      (SELECT party FROM sources GROUP BY party ORDER BY sum(${figure}) DESC LIMIT ${LARGEST_PARTIES}) GROUP BY party, tag`,
  );
}

function missingBoxes(loaded: LoadedMail, rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.map(({ pub = "" }) => pub))].filter((pub) => !loaded.boxes.has(pub));
}

function remember(loaded: LoadedMail, rows: readonly Row[], recipientPub?: X25519KeyHex): readonly EnvelopeRow[] {
  const found = rows.map((row) => envelopeRow(row, recipientPub ?? row.pub ?? ""));
  for (const row of found) loaded.envelopes.set(placeOf(row.recipientPub, row.id), row);
  return found;
}

function envelopeRow(row: Row, recipientPub: X25519KeyHex): EnvelopeRow {
  const {
    seq,
    received_day: day,
    bytes,
    fee_ut: feeUt,
    room,
    is_hidden: isHidden,
    is_authentic: isAuthentic,
    id,
    party,
    tag,
    sender,
  } = row;
  return { recipientPub, id, seq, day, bytes, feeUt, room, isHidden, isAuthentic, party, tag, sender };
}
