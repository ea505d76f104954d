// Pages of what contracts logged: positions in the order of the chain, and which lines are read.
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { type EventFilter, isEventOf } from "#shared/protocol/transactions/contract-events.ts";

/** Where a line is. */
export interface LogPosition {
  readonly height: Height;
  /** Position of the transaction in its block. */
  readonly position: number;
  /** Position among the lines of the transaction, those of other contracts included. */
  readonly line: number;
}

/** A logged line with its transaction. */
export interface ContractLog extends LogPosition {
  readonly txId: string;
  readonly blockHash: HashHex;
  readonly blockTimeMs: number;
  readonly message: string;
}

/** Which lines of a contract are read. */
export interface LogQuery {
  readonly limit: number;
  /** `desc`: newest first. */
  readonly order: "asc" | "desc";
  /** Lines of this block and later ones. */
  readonly since?: Height;
  /** Lines behind this one, in the order of the page. */
  readonly after?: LogPosition;
  /** Only these events. */
  readonly filter?: EventFilter;
}

/** A page; `next` is there when more may follow, also behind a page that is not full. */
export interface LogPage {
  readonly logs: readonly ContractLog[];
  readonly next: LogPosition | undefined;
}

const POSITION = /^(\d{1,15})\.(\d{1,4})\.(\d{1,4})$/;

/** Text of a position: `after` of a request. */
export function formatLogPosition({ height, position, line }: LogPosition): string {
  return `${height}.${position}.${line}`;
}

/** The position of a text; undefined when it is none. */
export function parseLogPosition(text: string): LogPosition | undefined {
  const [, height, position, line] = POSITION.exec(text) ?? [];
  return height === undefined ? undefined : { height: Number(height), position: Number(position), line: Number(line) };
}

/** Order of the chain. */
export function compareLogPositions(a: LogPosition, b: LogPosition): number {
  return a.height - b.height || a.position - b.position || a.line - b.line;
}

/** The page of a list in any order. */
export function pageOfLogs(all: readonly ContractLog[], { limit, order, since = 0, after, filter }: LogQuery): LogPage {
  const direction = order === "asc" ? 1 : -1;
  const logs = all
    .filter((log) => log.height >= since && (after === undefined || direction * compareLogPositions(log, after) > 0))
    .filter(({ message }) => filter === undefined || isEventOf(message, filter))
    .sort((a, b) => direction * compareLogPositions(a, b))
    .slice(0, limit);
  return { logs, next: logs.length === limit ? logs.at(-1) : undefined };
}
