// Writes what blocks bring beside themselves: the copy of the state, the list of contracts, lines of calls. All of it in the transaction of the
// blocks.
import type { Height } from "#shared/protocol/chain/header.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { SEQ_PER_BLOCK } from "../../../../chain-schema.ts";
import type { ContractSummary } from "../../../../explorer/contract-index-repository.ts";
import type { PostgresSession } from "../client-session.ts";
import { statement } from "../statement-batch.ts";
import { columns } from "./columns.ts";
import type { ChangedRecord, ExplorerBlock, ExplorerRecord, StateAddition, StatePiece } from "./explorer-rows.ts";

const RECORDS = statement(
  "explorer_records",
  `INSERT INTO explorer_records (namespace, key, value) SELECT * FROM unnest($1::text[], $2::bytea[], $3::bytea[])
    ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value WHERE explorer_records.value <> excluded.value`,
);
const GONE = statement(
  "explorer_gone",
  "DELETE FROM explorer_records r USING unnest($1::text[], $2::bytea[]) g(namespace, key) WHERE r.namespace = g.namespace AND r.key = g.key",
);
/** What an earlier copy left in the place of a piece. */
const LEFT = statement(
  "explorer_left",
  `DELETE FROM explorer_records WHERE namespace = $1 AND ($2::bytea IS NULL OR key > $2) AND ($3::bytea IS NULL OR key <= $3)
    AND NOT key = ANY ($4::bytea[])`,
);
const CONTRACTS = statement(
  "explorer_contracts",
  `INSERT INTO explorer_contracts (height, id, name, version)
    SELECT height, id, name, version FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bytea[]) WITH ORDINALITY c(height, id, name, version, n)
    ORDER BY n ON CONFLICT (id) DO NOTHING`,
);
const LOGS = statement(
  "explorer_logs",
  `INSERT INTO explorer_logs (contract, seq, line, message, is_indexed)
    SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::int[], $4::bytea[], $5::boolean[]) ON CONFLICT DO NOTHING`,
);
const EVENTS = statement(
  "explorer_events",
  `INSERT INTO explorer_events (contract, key, seq, line) SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::int[])
    ON CONFLICT DO NOTHING`,
);
const EMPTY = "DELETE FROM explorer_contracts; DELETE FROM explorer_logs; DELETE FROM explorer_events";
const REST = statement(
  "explorer_rest",
  `UPDATE explorer_feed SET rest_height = $1, logs_first = CASE WHEN $2 THEN $3 ELSE coalesce(logs_first, $3) END, state_position = $4,
    contracts_height = coalesce($5, contracts_height), rules_version = coalesce($6, rules_version)`,
);

/** How the rest stands to the blocks before something is added. */
export interface RestBefore {
  /** The last block that is here; undefined while there is none. */
  readonly height: Height | undefined;
  /** The last block that has its rest. */
  readonly restHeight: Height | undefined;
  /** Where the copy is; undefined where it is to begin. */
  readonly position: string | undefined;
}

/** Writes the rest of blocks, or what comes without any. */
export async function writeRest(
  session: PostgresSession,
  before: RestBefore,
  { blocks, state }: { readonly blocks: readonly ExplorerBlock[]; readonly state: StateAddition },
): Promise<void> {
  const height = blocks.at(-1)?.height ?? before.height ?? 0;
  const isBegun = before.height !== undefined && before.restHeight === before.height;
  if (before.height === undefined) await session.exec(EMPTY);
  await writeLogs(session, blocks);
  const { changes, newest } = state;
  await writeChanges(session, changes ?? []);
  const kept = isBegun && changes !== undefined ? before.position : undefined;
  // A piece continues what was copied before, or begins.
  const continued = before.position === undefined || kept !== undefined ? newest : undefined;
  if (continued?.piece !== undefined) await writePiece(session, continued.piece);
  await writeContracts(session, newest?.contracts ?? []);
  const contractsHeight = newest?.hasAllContracts === true ? height : null;
  const logsFirst = blocks[0]?.height ?? height + 1;
  await session.run(REST, [height, !isBegun, logsFirst, continued?.position ?? kept ?? null, contractsHeight, newest?.version ?? null]);
}

async function writeChanges(session: PostgresSession, changes: readonly ChangedRecord[]): Promise<void> {
  await writeRecords(
    session,
    changes.flatMap(({ namespace, key, value }) => (value === undefined ? [] : [{ namespace, key, value }])),
  );
  const gone = changes.filter(({ value }) => value === undefined).map(({ namespace, key }) => [namespace, Buffer.from(key)] as const);
  if (gone.length > 0) await session.run(GONE, columns(gone, 2));
}

async function writeContracts(session: PostgresSession, contracts: readonly ContractSummary[]): Promise<void> {
  const rows = contracts.map(
    ({ deployedAt, id, name, version }) =>
      [deployedAt, Buffer.from(id, "hex"), Buffer.from(utf8(name)), Buffer.from(utf8(version))] as const,
  );
  if (rows.length > 0) await session.run(CONTRACTS, columns(rows, 4));
}

/** Records as they are now. */
export async function writeRecords(session: PostgresSession, records: readonly ExplorerRecord[]): Promise<void> {
  const rows = records.map(({ namespace, key, value }) => [namespace, Buffer.from(key), Buffer.from(value)] as const);
  if (rows.length > 0) await session.run(RECORDS, columns(rows, 3));
}

async function writePiece(session: PostgresSession, { namespace, after, to, records }: StatePiece): Promise<void> {
  const keys = records.map(({ key }) => Buffer.from(key));
  const bytesOrNull = (key: Uint8Array | undefined): Buffer | null => (key === undefined ? null : Buffer.from(key));
  await session.run(LEFT, [namespace, bytesOrNull(after), bytesOrNull(to), keys]);
  await writeRecords(session, records);
}

async function writeLogs(session: PostgresSession, blocks: readonly ExplorerBlock[]): Promise<void> {
  const logs = blocks.flatMap(({ height, logs: lines }) =>
    lines.map(({ contractId, position, line, message, keys }) => {
      const [contract, seq] = [Buffer.from(contractId, "hex"), height * SEQ_PER_BLOCK + position] as const;
      return { contract, seq, line, message: Buffer.from(utf8(message)), keys };
    }),
  );
  if (logs.length === 0) return;
  const rows = logs.map(({ contract, seq, line, message, keys }) => [contract, seq, line, message, keys !== undefined] as const);
  await session.run(LOGS, columns(rows, 5));
  const events = logs.flatMap(({ contract, seq, line, keys }) => (keys ?? []).map((key) => [contract, key, seq, line] as const));
  if (events.length > 0) await session.run(EVENTS, columns(events, 4));
}
