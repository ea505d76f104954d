// Writes what a view has changed, as the last steps of its transaction.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PostgresSession } from "../client-session.ts";
import { type Call, type Statement, statement } from "../statement-batch.ts";
import type { LoadedMail } from "../view/loaded-mail.ts";
import { dayOf, type EnvelopeRow, mailboxNumber } from "../view/mail-rows.ts";
import type { MailView } from "../view/mail-view.ts";
import type { NewOpening, ViewChanges } from "../view/view-changes.ts";
import { copyOf } from "./copy-envelopes.ts";
import { WRITE_OPENED } from "./opened-boxes.ts";

const UPDATE_BOXES = statement(
  "update_mailboxes",
  `UPDATE mailboxes SET last_seq = changed.last_seq, envelope_count = changed.count, bytes = changed.bytes, hidden_count = changed.hidden
    FROM unnest($1::bigint[], $2::bigint[], $3::int[], $4::bigint[], $5::int[]) AS changed (mailbox, last_seq, count, bytes, hidden)
    WHERE mailboxes.mailbox = changed.mailbox`,
);
const NAMED = "unnest($1::bigint[], $2::bigint[], $3::int[]) AS named (mailbox, seq, day)";
const IS_NAMED = "envelopes.mailbox = named.mailbox AND envelopes.seq = named.seq AND received_day = named.day";
const REMOVE = statement("remove_envelopes", `DELETE FROM envelopes USING ${NAMED} WHERE ${IS_NAMED}`);
const MARK_READ = statement(
  "mark_read",
  `UPDATE envelopes SET room = NULL, is_hidden = named.hidden
    FROM unnest($1::bigint[], $2::bigint[], $3::int[], $4::boolean[]) AS named (mailbox, seq, day, hidden) WHERE ${IS_NAMED}`,
);
const ADD_DELETED = statement(
  "add_deleted",
  `INSERT INTO deleted_envelopes (mailbox, id, deleted_day) SELECT mailbox, id, $3 FROM unnest($1::bigint[], $2::text[]) AS gone (mailbox, id)
    ON CONFLICT DO NOTHING`,
);
const REMOVE_DELETED = statement(
  "remove_deleted",
  `DELETE FROM deleted_envelopes USING unnest($1::bigint[], $2::text[]) AS back (mailbox, id)
    WHERE deleted_envelopes.mailbox = back.mailbox AND deleted_envelopes.id = back.id`,
);
const ADD_TO_SOURCES = statement(
  "add_to_sources",
  `INSERT INTO sources (party, tag, lane, waiting_bytes, open_bytes)
    SELECT party, tag, $5, waiting, opened FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS added (party, tag, waiting, opened)
    ON CONFLICT (party, tag, lane) DO UPDATE
      SET waiting_bytes = sources.waiting_bytes + excluded.waiting_bytes, open_bytes = sources.open_bytes + excluded.open_bytes`,
);
const ADD_TO_LANE = statement(
  "add_to_lane",
  `UPDATE lanes SET n = n + $2, envelope_count = envelope_count + $3, bytes = bytes + $4, open_bytes = open_bytes + $5, used_at = $6
    WHERE lane = $1`,
);
const WAKE = statement("wake", "INSERT INTO wake (lane, n, written_at, pubs, seqs) VALUES ($1, $2, $3, $4, $5)");
const NOTICE = statement(
  "notice",
  `INSERT INTO outgoing (written_at, kind, body, client)
    SELECT $1, kind, body, client FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS told (kind, body, client, at) ORDER BY at`,
);
const USE_PROOFS = statement(
  "use_proofs",
  `INSERT INTO used_proofs (mac, unix_seconds) SELECT * FROM unnest($1::bigint[], $2::bigint[]) ON CONFLICT DO NOTHING RETURNING mac`,
);

/** The lane of a transaction. */
export interface Lane {
  readonly lane: number;
  /** Number of its last row of `wake`. */
  readonly n: number;
}

/** Writes everything and commits. @throws CodedError FORBIDDEN when a proof was used before, at whichever process */
export async function writeView(
  session: PostgresSession,
  view: MailView,
  { loaded, lane, nowSec }: { readonly loaded: LoadedMail; readonly lane: Lane; readonly nowSec: number },
): Promise<void> {
  const { changes } = view;
  await spendProofs(session, changes);
  const read = changes.read.map(({ row }) => row);
  const boxes = [...view.changedBoxes].map(([, box]) => box);
  await session.commit([
    ...callFor(REMOVE, named(loaded, changes.removed)),
    ...(changes.added.length > 0 ? [copyOf(changes.added)] : []),
    ...callFor(MARK_READ, [...named(loaded, read), changes.read.map(({ isHidden }) => isHidden)]),
    ...deletedCalls(changes.deleted, dayOf(nowSec)),
    ...changes.openings.map((opening) => ({ query: WRITE_OPENED, values: openedValues(opening) })),
    ...callFor(UPDATE_BOXES, [
      boxes.map(({ number }) => number),
      boxes.map(({ lastSeq }) => lastSeq),
      boxes.map(({ count }) => count),
      boxes.map(({ bytes }) => bytes),
      boxes.map(({ hidden }) => hidden),
    ]),
    ...sourceCalls(view, lane.lane),
    ...laneCalls(changes, { loaded, lane, view, nowSec }),
    ...noticeCalls(changes, nowSec),
  ]);
}

async function spendProofs(session: PostgresSession, { proofs }: ViewChanges): Promise<void> {
  if (proofs.length === 0) return;
  const used = await session.run(USE_PROOFS, [proofs.map(({ mac }) => mac), proofs.map(({ unixSeconds }) => unixSeconds)]);
  if (used.length < proofs.length) throw new CodedError("FORBIDDEN", "X-Inbox-Proof was used before");
}

function noticeCalls({ notices }: ViewChanges, nowSec: number): readonly Call[] {
  const columns = [notices.map(({ kind }) => kind), notices.map(({ body }) => body), notices.map(({ client }) => client)];
  return callFor(NOTICE, [nowSec, ...columns], notices);
}

function deletedCalls(deleted: ViewChanges["deleted"], day: number): readonly Call[] {
  const names = [...deleted].map(([place, isDeleted]) => ({ pub: place.slice(0, 64), id: place.slice(65), isDeleted }));
  const [gone, back] = [names.filter(({ isDeleted }) => isDeleted), names.filter(({ isDeleted }) => !isDeleted)];
  return [
    ...callFor(ADD_DELETED, [gone.map(({ pub }) => mailboxNumber(pub)), gone.map(({ id }) => id), day]),
    ...callFor(REMOVE_DELETED, [back.map(({ pub }) => mailboxNumber(pub)), back.map(({ id }) => id)]),
  ];
}

function sourceCalls(view: MailView, lane: number): readonly Call[] {
  const rows = new Map<string, { readonly party: string; readonly tag: string; waiting: number; open: number }>();
  for (const kind of ["waiting", "open"] as const)
    for (const [party, tags] of view.sourceChanges(kind))
      for (const [tag, bytes] of tags) {
        const key = `${party}\n${tag}`;
        const row = rows.get(key) ?? { party, tag, waiting: 0, open: 0 };
        row[kind] += bytes;
        rows.set(key, row);
      }
  // In one order for all.
  const sorted = [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  return callFor(ADD_TO_SOURCES, [
    sorted.map(({ party }) => party),
    sorted.map(({ tag }) => tag),
    sorted.map(({ waiting }) => waiting),
    sorted.map(({ open }) => open),
    lane,
  ]);
}

function laneCalls(
  { added, removed }: ViewChanges,
  { loaded, lane, view, nowSec }: { readonly loaded: LoadedMail; readonly lane: Lane; readonly view: MailView; readonly nowSec: number },
): readonly Call[] {
  const count = added.length - removed.length;
  const bytes = view.totalBytes() - loaded.totals.bytes;
  const openBytes = view.open.bytes - loaded.totals.openBytes;
  const wakes = added.length > 0 ? 1 : 0;
  if (wakes === 0 && count === 0 && bytes === 0 && openBytes === 0) return [];
  const figures = { query: ADD_TO_LANE, values: [lane.lane, wakes, count, bytes, openBytes, nowSec] };
  if (wakes === 0) return [figures];
  const pubs = added.map(({ row }) => Buffer.from(row.recipientPub, "hex"));
  return [figures, { query: WAKE, values: [lane.lane, lane.n + 1, nowSec, pubs, added.map(({ row }) => row.seq)] }];
}

function openedValues({ opening, source, isUpdate }: NewOpening): readonly unknown[] {
  const { mailbox, writeKey, read, untilSec, height, signature } = opening;
  return [Buffer.from(mailbox, "hex"), writeKey, read, untilSec, height, signature, source.party, source.isForeign, isUpdate];
}

function named(loaded: LoadedMail, rows: readonly EnvelopeRow[]): readonly (readonly unknown[])[] {
  const numberOf = (pub: string): string => loaded.boxes.get(pub)?.number ?? mailboxNumber(pub);
  return [rows.map(({ recipientPub }) => numberOf(recipientPub)), rows.map(({ seq }) => seq), rows.map(({ day }) => day)];
}

/** A statement over lists, unless they are empty. */
function callFor(
  query: Statement,
  values: readonly unknown[],
  list: readonly unknown[] = values[0] as readonly unknown[],
): readonly Call[] {
  return list.length > 0 ? [{ query, values }] : [];
}
