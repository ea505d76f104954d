// Lines of receipts → what the index keeps of them. Pure.

import { EVENT_BEGINNING, parseContractEvent } from "#shared/protocol/transactions/contract-events.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { IndexedLog } from "./contract-log-repository.ts";
import { eventKeys } from "./event-keys.ts";

/**
 * Gas for which a transaction gets one entry of the index of events. An entry lies at a random position: in a long index it costs the database
 * about what a key of a contract's state does, and a line costs a caller 600 gas. Events beyond it are found by reading lines.
 */
export const GAS_PER_EVENT_ENTRY = 16_000;

type Line = Omit<IndexedLog, "keys">;

/** Lines of successful calls: what a failed one said last belongs to its own failure only. */
export function indexLogs(receipts: readonly Receipt[]): readonly IndexedLog[] {
  return receipts.flatMap(({ isOk, logs, gasUsed }, position) => {
    const lines = isOk
      ? logs.flatMap(({ contractId, message }, line) => (contractId === "" ? [] : [{ contractId, position, line, message }]))
      : [];
    return lines.length === 0 ? [] : withKeys(lines, Math.floor(gasUsed / GAS_PER_EVENT_ENTRY));
  });
}

/** The events of a contract in a transaction get entries all together or not at all; those with the fewest events come first. */
function withKeys(lines: readonly Line[], entries: number): readonly IndexedLog[] {
  const events = Map.groupBy(lines.filter(mayBeEvent), ({ contractId }) => contractId);
  const keys = new Map<Line, readonly number[]>();
  let left = entries;
  for (const ofContract of [...events.values()].sort((a, b) => a.length - b.length)) {
    const found = ofContract.length > left ? undefined : ofContract.map((line) => [line, keysOf(line)] as const);
    const count = found?.reduce((sum, [, own]) => sum + own.length, 0) ?? Number.POSITIVE_INFINITY;
    if (count > left) continue;
    left -= count;
    for (const [line, own] of found ?? []) keys.set(line, own);
  }
  return lines.map((line) => ({ ...line, keys: keys.get(line) ?? (mayBeEvent(line) ? undefined : []) }));
}

/** Looks at the beginning alone: parsing is work that the gas of an entry pays for. */
function mayBeEvent({ message }: Line): boolean {
  return message.startsWith(EVENT_BEGINNING);
}

function keysOf({ message }: Line): readonly number[] {
  const event = parseContractEvent(message);
  return event === undefined ? [] : eventKeys(event);
}
