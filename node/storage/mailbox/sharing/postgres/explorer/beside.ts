// How reads of the explorer say how its blocks stood to the node's at the moment of which they are.
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PostgresDatabase } from "../postgres-database.ts";
import { type Statement, statement } from "../statement-batch.ts";

/** Which blocks are here. */
export interface ExplorerState {
  readonly first: Height;
  readonly height: Height;
  /** The block after which records of the state are here; above `height` while blocks are missing. */
  readonly recordsHeight: Height;
  /** Time since the last block here was seen to be the last one of the chain, ms. */
  readonly ageMs: number;
  /** The last block that has its rest: its lines of calls, and what it changed of the state. */
  readonly restHeight: Height;
  /** Lines of calls are here from this block on. */
  readonly logsFirst: Height;
  /** All of the state is here. */
  readonly isWhole: boolean;
  /** The block after which the list of contracts is whole. */
  readonly contractsHeight: Height;
  /** Version of the rules of the newest block, where the rest is of it. */
  readonly rulesVersion: number;
  /** The chain has other blocks. */
  readonly hasConflict: boolean;
}

/** A record of the state, in hex. */
export type RecordRow = readonly [namespace: string, key: string, value: string];

/** What a read found; nothing without a state, which says that the explorer is empty. */
export interface Found<Row> {
  readonly state: ExplorerState | undefined;
  readonly rows: readonly Row[];
  /** Of the state of the chain, where the read asks for some. */
  readonly records: readonly RecordRow[];
}

/** The state beside each row. */
export type StateRow = { readonly [Key in keyof ExplorerState as `f_${Key}`]: ExplorerState[Key] | null } & {
  readonly f_records?: readonly RecordRow[] | null;
};

/** What to select of `explorer_feed f` for it. */
export const STATE = `f.first AS "f_first", f.height AS "f_height", f.records_height AS "f_recordsHeight", f.has_conflict AS "f_hasConflict",
  f.rest_height AS "f_restHeight", f.logs_first AS "f_logsFirst", coalesce(f.state_position = 'all', false) AS "f_isWhole",
  f.contracts_height AS "f_contractsHeight", f.rules_version AS "f_rulesVersion",
  least(extract(epoch FROM clock_timestamp() - greatest(f.current_at, 'epoch')) * 1000, 1e12)::float8 AS "f_ageMs"`;
/** Rows of a query, each with the state beside it; the state alone where there is none. `records` says which records come along. */
export function beside(name: string, query: string, { order, records }: { readonly order: string; readonly records?: string }): Statement {
  const along =
    records === undefined
      ? ""
      : `, (SELECT json_agg(json_build_array(namespace, encode(key, 'hex'), encode(value, 'hex'))) FROM explorer_records WHERE ${records})
        AS f_records`;
  return statement(name, `SELECT ${STATE}${along}, r.* FROM explorer_feed f LEFT JOIN LATERAL (${query}) r ON true ORDER BY ${order}`);
}

/** Runs a query of {@link beside}; `always` is a column that each row has a value in. */
export async function readBeside<Row extends object>(
  database: Pick<PostgresDatabase, "run">,
  query: Statement,
  { values, always }: { readonly values: readonly unknown[]; readonly always: keyof Row },
): Promise<Found<Row>> {
  const found = await database.run<StateRow & Row>(query, values);
  const [first] = found;
  return { state: stateOf(first), rows: found.filter((row) => row[always] !== null), records: first?.f_records ?? [] };
}

/** Undefined while the explorer is empty. */
export function stateOf(row: StateRow | undefined): ExplorerState | undefined {
  if (row === undefined) return undefined;
  const { f_first: first, f_height: height, f_recordsHeight: recordsHeight, f_ageMs: ageMs, f_hasConflict: hasConflict } = row;
  const { f_restHeight: restHeight, f_logsFirst: logsFirst, f_isWhole: isWhole, f_contractsHeight: contractsHeight } = row;
  if (first === null || height === null) return undefined;
  return {
    first,
    height,
    recordsHeight: recordsHeight ?? -1,
    ageMs: ageMs ?? Number.POSITIVE_INFINITY,
    hasConflict: hasConflict !== false,
    restHeight: restHeight ?? -1,
    logsFirst: logsFirst ?? Number.POSITIVE_INFINITY,
    isWhole: isWhole === true,
    contractsHeight: contractsHeight ?? -1,
    rulesVersion: row.f_rulesVersion ?? 0,
  };
}
