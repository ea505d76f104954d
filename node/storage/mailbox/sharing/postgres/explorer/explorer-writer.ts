// Adds blocks to the explorer: each exactly once, as its parent has to be the last one that is there.
import type { Height } from "#shared/protocol/chain/header.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { SEQ_PER_BLOCK } from "../../../../chain-schema.ts";
import type { ChainPosition } from "../../../../explorer/block-summary.ts";
import { hourOf, isGapCounted } from "../../../../explorer/chart-repository.ts";
import { textKey } from "../../../../explorer/text-key.ts";
import { alone } from "../alone.ts";
import type { PostgresSession } from "../client-session.ts";
import type { PostgresDatabase } from "../postgres-database.ts";
import { statement } from "../statement-batch.ts";
import { columns } from "./columns.ts";
import type { ExplorerBlock, ExplorerRecord, StateAddition } from "./explorer-rows.ts";
import { writeRecords, writeRest } from "./state-writer.ts";

/** Key of the lock of the one process that adds blocks. */
const EXPLORER_LOCK = 0x50_52_4c_06;

const END = statement(
  "explorer_end",
  `SELECT height, encode(hash, 'hex') AS hash, has_conflict, rest_height, state_position,
    (SELECT encode(id, 'hex') FROM explorer_contracts ORDER BY num DESC LIMIT 1) AS last_contract FROM explorer_feed`,
);
const HASH_AT = statement("explorer_hash_at", "SELECT encode(hash, 'hex') AS hash FROM explorer_blocks WHERE height = $1");
const TIME_AT = statement("explorer_time_at", "SELECT time_ms FROM explorer_blocks WHERE height = $1");
const MOVE = statement(
  "explorer_move",
  `UPDATE explorer_feed SET first = coalesce(first, $1), height = $2, hash = decode($3, 'hex'), records_height = greatest(coalesce(records_height, 0), $4),
      has_conflict = false
    WHERE height IS NOT DISTINCT FROM $5::bigint AND hash IS NOT DISTINCT FROM decode($6, 'hex') RETURNING height`,
);
const BLOCKS = statement(
  "explorer_blocks",
  `INSERT INTO explorer_blocks (height, time_ms, total_fees_ut, reward_ut, tx_count, hash, parent_hash, state_root, proposer, reward_to)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::int[], $6::bytea[], $7::bytea[], $8::bytea[], $9::bytea[],
      $10::bytea[])`,
);
const TRANSACTIONS = statement(
  "explorer_transactions",
  "INSERT INTO explorer_transactions (seq, id_key, record) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[])",
);
const ENTRIES = statement(
  "explorer_entries",
  "INSERT INTO explorer_entries (account, seq) SELECT * FROM unnest($1::bytea[], $2::bigint[])",
);
const TYPES = statement(
  "explorer_types",
  `INSERT INTO explorer_types AS known (type, total) SELECT * FROM unnest($1::text[], $2::bigint[])
    ON CONFLICT (type) DO UPDATE SET total = known.total + excluded.total`,
);
const HOURS = statement(
  "explorer_hours",
  `INSERT INTO explorer_hours AS known (hour, blocks, transactions, failed, fees_ut, gaps, gap_ms)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
    ON CONFLICT (hour) DO UPDATE SET blocks = known.blocks + excluded.blocks, transactions = known.transactions + excluded.transactions,
      failed = known.failed + excluded.failed, fees_ut = known.fees_ut + excluded.fees_ut, gaps = known.gaps + excluded.gaps,
      gap_ms = known.gap_ms + excluded.gap_ms`,
);
const SEEN = statement(
  "explorer_seen",
  "UPDATE explorer_feed SET current_at = clock_timestamp() - make_interval(secs => $1), has_conflict = false",
);
const CONFLICT = statement("explorer_conflict", "UPDATE explorer_feed SET has_conflict = true WHERE NOT has_conflict");

/** What is added together. */
export interface ExplorerAddition {
  /** One or more, in order. */
  readonly blocks: readonly ExplorerBlock[];
  /** Records that they may have changed, as they are after the block of {@link recordsHeight}. */
  readonly records: readonly ExplorerRecord[];
  readonly recordsHeight: Height;
  /** Undefined of a node of an earlier version. */
  readonly state: StateAddition | undefined;
}

interface EndRow {
  readonly height: number | null;
  readonly hash: string | null;
  readonly has_conflict: boolean;
  readonly rest_height: number | null;
  readonly state_position: string | null;
  readonly last_contract: string | null;
}

/** The explorer, to the one process that adds to it now. */
export interface OpenExplorer {
  /** The last block that is here; undefined while it is empty. */
  readonly end: ChainPosition | undefined;
  readonly hasConflict: boolean;
  /** Where the copy of the state is; undefined where it is to begin. */
  readonly position: string | undefined;
  /** The last one of the list of contracts. */
  readonly lastContract: string | undefined;
  hashAt(height: Height): Promise<string | undefined>;
  add(addition: ExplorerAddition): Promise<void>;
  /** What is added without blocks, where the last one here is the newest. */
  addState(state: StateAddition): Promise<void>;
  /** The last block here was the last one of the chain so many seconds ago. */
  noteCurrent(secondsAgo: number): Promise<void>;
  /** The chain has other blocks than those here: none of them is shown until that has changed. */
  noteConflict(): Promise<void>;
}

/**
 * Runs work that adds to the explorer, in one transaction; undefined where another process does so. What it adds follows from the chain: it
 * does not wait for a standby.
 */
export async function withExplorer<T>(database: PostgresDatabase, work: (explorer: OpenExplorer) => Promise<T>): Promise<T | undefined> {
  return await alone(database, EXPLORER_LOCK, async (session) => {
    await session.exec("SET LOCAL synchronous_commit = local");
    return await work(await openExplorer(session));
  });
}

async function openExplorer(session: PostgresSession): Promise<OpenExplorer> {
  const [row] = await session.run<EndRow>(END);
  const end = row === undefined || row.height === null || row.hash === null ? undefined : { height: row.height, hash: row.hash };
  // Blocks that an older program added have changed what was copied.
  const isBegun = end !== undefined && row?.rest_height === end.height;
  const position = isBegun ? (row.state_position ?? undefined) : undefined;
  const rest = { height: end?.height, restHeight: row?.rest_height ?? undefined, position };
  return {
    end,
    hasConflict: row?.has_conflict === true,
    position,
    lastContract: end === undefined ? undefined : (row?.last_contract ?? undefined),
    hashAt: async (height) => (await session.run<{ readonly hash: string }>(HASH_AT, [height]))[0]?.hash,
    async add(addition): Promise<void> {
      await addBlocks(session, end, addition);
      if (addition.state !== undefined) await writeRest(session, rest, { blocks: addition.blocks, state: addition.state });
    },
    addState: (state) => writeRest(session, rest, { blocks: [], state }),
    noteCurrent: async (secondsAgo): Promise<void> => void (await session.run(SEEN, [secondsAgo])),
    noteConflict: async (): Promise<void> => void (await session.run(CONFLICT)),
  };
}

async function addBlocks(session: PostgresSession, end: ChainPosition | undefined, addition: ExplorerAddition): Promise<void> {
  const { blocks, records, recordsHeight } = addition;
  const [first, last] = [blocks[0], blocks.at(-1)];
  assertInvariant(first !== undefined && last !== undefined, "An addition has a block");
  const moved = await session.run(MOVE, [first.height, last.height, last.hash, recordsHeight, end?.height ?? null, end?.hash ?? null]);
  assertInvariant(moved.length === 1, "The explorer ends where it did when its lock was taken");
  const [before] = await session.run<{ readonly time_ms: number }>(TIME_AT, [first.height - 1]);
  await session.run(BLOCKS, blockColumns(blocks));
  const transactions = blocks.flatMap(({ height, records: held }) =>
    held.map(({ id, bytes }, position) => [height * SEQ_PER_BLOCK + position, textKey(id), Buffer.from(bytes)] as const),
  );
  if (transactions.length > 0) await session.run(TRANSACTIONS, columns(transactions, 3));
  const entries = blocks.flatMap(({ height, entries: listed }) =>
    listed.flatMap(({ position, accounts }) => accounts.map((account) => [bytesOf(account), height * SEQ_PER_BLOCK + position] as const)),
  );
  if (entries.length > 0) await session.run(ENTRIES, columns(entries, 2));
  const types = typeTotals(blocks);
  if (types.length > 0) await session.run(TYPES, columns(types, 2));
  const hours = hourTotals(blocks, before?.time_ms);
  if (hours.length > 0) await session.run(HOURS, columns(hours, 7));
  await writeRecords(session, records);
}

function blockColumns(blocks: readonly ExplorerBlock[]): readonly unknown[] {
  const rows = blocks.map(({ height, hash, parentHash, stateRoot, timeMs, proposer, totalFeesUt, reward, records }) => [
    height,
    timeMs,
    totalFeesUt,
    reward?.amountUt ?? null,
    records.length,
    ...[hash, parentHash, stateRoot, proposer].map(bytesOf),
    reward === undefined ? null : bytesOf(reward.to),
  ]);
  return columns(rows, 10);
}

function typeTotals(blocks: readonly ExplorerBlock[]): readonly (readonly [string, number])[] {
  const totals = new Map<string, number>();
  for (const [type, count] of blocks.flatMap(({ types }) => types)) totals.set(type, (totals.get(type) ?? 0) + count);
  return [...totals];
}

/** Sums by hour, in the columns of the table. `beforeMs` is the time of the block before the first one. */
function hourTotals(blocks: readonly ExplorerBlock[], beforeMs: number | undefined): readonly (readonly number[])[] {
  const hours = new Map<number, number[]>();
  let previousMs = beforeMs;
  for (const { height, timeMs, records, failed, totalFeesUt } of blocks) {
    const gapMs = isGapCounted(height) && previousMs !== undefined ? timeMs - previousMs : undefined;
    previousMs = timeMs;
    if (height === 0) continue;
    const added = [1, records.length, failed, totalFeesUt, gapMs === undefined ? 0 : 1, gapMs ?? 0];
    const known = hours.get(hourOf(timeMs));
    hours.set(hourOf(timeMs), known === undefined ? added : known.map((sum, at) => sum + (added[at] ?? 0)));
  }
  return [...hours].map(([hour, sums]) => [hour, ...sums]);
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, "hex");
}
