// Reads into memory what a transaction needs of the mailboxes, and locks those that it may change.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Room } from "../../../waiting-envelopes.ts";
import { type PostgresSession, statement } from "../postgres-database.ts";
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
  `SELECT asked.pub, found.* FROM unnest($1::bigint[], $2::text[], $3::text[], $4::int[]) AS asked (mailbox, pub, id, first_day)
    CROSS JOIN LATERAL (SELECT ${ENVELOPE} FROM envelopes
      WHERE mailbox = asked.mailbox AND envelopes.id = asked.id AND received_day >= asked.first_day LIMIT 1) AS found`,
);
const FIND_DELETED = statement(
  "find_deleted",
  `SELECT asked.pub, asked.id FROM unnest($1::bigint[], $2::text[], $3::text[]) AS asked (mailbox, pub, id)
    WHERE EXISTS (SELECT 1 FROM deleted_envelopes AS gone WHERE gone.mailbox = asked.mailbox AND gone.id = asked.id AND deleted_day >= $4)`,
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

/** Reads and locks what the keys name. */
export async function loadMail(
  session: PostgresSession,
  keys: MailKeys,
  { isAlone, nowSec }: { readonly isAlone: boolean; readonly nowSec: number },
): Promise<LoadedMail> {
  const loaded = nothingLoaded(await readTotals(session), isAlone);
  const { boxes } = loaded;
  await lock(session, boxes, [...new Set([...keys.receiving, ...keys.present])]);
  await create(session, boxes, { missing: [...new Set(keys.receiving)].filter((pub) => !boxes.has(pub)), nowSec });
  await find(session, loaded, keys.envelopes, nowSec);
  const asked = [...new Set([...keys.receiving, ...keys.present])].map((pub) => Buffer.from(pub, "hex"));
  for (const row of await session.run<OpenedRow>(READ_OPENED, [asked])) loaded.openings.set(row.mailbox, openedRow(row));
  return loaded;
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
  const [row] = await session.run<{ readonly count: number; readonly bytes: number; readonly open_bytes: number }>(TOTALS);
  return { count: row?.count ?? 0, bytes: row?.bytes ?? 0, openBytes: row?.open_bytes ?? 0 };
}

/** One transaction at a time opens boxes: their number is exact. */
async function loadOpenedCounts(session: PostgresSession, loaded: LoadedMail, { party, nowSec }: OpenedCountsLack): Promise<void> {
  await session.exec(`SELECT pg_advisory_xact_lock(${OPENING_LOCK})`);
  const [row] = await session.run<{ readonly count: number; readonly foreign: number; readonly of_party: number }>(OPENED_COUNTS, [
    party,
    nowSec,
  ]);
  loaded.openedCounts.set(party, { all: row?.count ?? 0, foreign: row?.foreign ?? 0, ofParty: row?.of_party ?? 0 });
}

function boxValues(loaded: LoadedMail, recipientPub: X25519KeyHex): readonly unknown[] {
  return [mailboxNumber(recipientPub), loaded.boxes.get(recipientPub)?.firstDay ?? 0];
}

async function lock(session: PostgresSession, boxes: Map<X25519KeyHex, BoxRow>, pubs: readonly X25519KeyHex[]): Promise<void> {
  if (pubs.length === 0) return;
  for (const row of await session.run<StoredBox>(LOCK, [pubs.map(mailboxNumber)]))
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

async function create(
  session: PostgresSession,
  boxes: Map<X25519KeyHex, BoxRow>,
  { missing, nowSec }: { readonly missing: readonly X25519KeyHex[]; readonly nowSec: number },
): Promise<void> {
  if (missing.length === 0) return;
  const keys = missing.map((pub) => Buffer.from(pub, "hex"));
  await session.run(CREATE, [missing.map(mailboxNumber), keys, nowSec * SEQ_PER_SECOND, dayOf(nowSec)]);
  await lock(session, boxes, missing);
}

async function find(session: PostgresSession, loaded: LoadedMail, asked: MailKeys["envelopes"], nowSec: number): Promise<void> {
  if (asked.length === 0) return;
  for (const { recipientPub, id } of asked) loaded.envelopes.set(placeOf(recipientPub, id), undefined);
  const pubs = asked.map(({ recipientPub }) => recipientPub);
  const ids = asked.map(({ id }) => id);
  const numbers = pubs.map(mailboxNumber);
  const firstDays = pubs.map((pub) => loaded.boxes.get(pub)?.firstDay ?? 0);
  remember(loaded, await session.run<Row>(FIND, [numbers, pubs, ids, firstDays]));
  const deleted = await session.run<{ readonly pub: string; readonly id: string }>(FIND_DELETED, [
    numbers,
    pubs,
    ids,
    dayOf(nowSec) - DELETED_DAYS,
  ]);
  for (const { pub, id } of deleted) loaded.deleted.add(placeOf(pub, id));
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
