// What events are found by: numbers made of a name, and of a name with a field and its value.
import type { ContractEvent, EventFilter } from "#shared/protocol/transactions/contract-events.ts";
import { textKey } from "./text-key.ts";

/** Keys of an event: of its name, and of each indexed field. */
export function eventKeys({ name, index }: ContractEvent): readonly number[] {
  return [keyOf(name), ...index.map(({ field, value }) => keyOf(name, field, value))];
}

/** Keys that an event of a filter has; each alone finds all of them, beside others. */
export function filterKeys({ event, where }: EventFilter): readonly number[] {
  return where.length === 0 ? [keyOf(event)] : where.map(({ field, value }) => keyOf(event, field, value));
}

function keyOf(...parts: readonly string[]): number {
  return textKey(JSON.stringify(parts));
}
