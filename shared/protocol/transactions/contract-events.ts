// Typed events: lines of a contract's log of one form, so that receipts, and what all nodes agree on, know lines alone.

import { isJson, jsonMembers, textOfJson } from "../primitives/json-parts.ts";
import { MAX_INDEXED_CHARS } from "../primitives/limits.ts";
import { MAX_ABI } from "./contracts.ts";

/** An event of a line. What is not indexed stays in the line, with its integers in full. */
export interface ContractEvent {
  readonly name: string;
  /** Values of the indexed fields as texts, in the order of the line. */
  readonly index: readonly { readonly field: string; readonly value: string }[];
}

const NAME = "[A-Za-z_][A-Za-z0-9_]{0,31}";
const MEMBER = `"${NAME}":"(?:[^"\\\\]|\\\\.)*"`;
const LINE = new RegExp(`^\\{"event":"(${NAME})","index":(\\{(?:${MEMBER}(?:,${MEMBER}){0,2})?\\}),"data":(\\{.*\\})\\}$`, "s");
const ENTRY = new RegExp(`"(${NAME})":("(?:[^"\\\\]|\\\\.)*")`, "g");

/**
 * The event of a line `{"event":NAME,"index":{FIELD:TEXT…},"data":{…}}` without spaces between, with at most three indexed fields; undefined
 * for any other line. The data is not looked into.
 */
export function parseContractEvent(line: string): ContractEvent | undefined {
  const [, name, members = ""] = LINE.exec(line) ?? [];
  if (name === undefined) return undefined;
  const index: { readonly field: string; readonly value: string }[] = [];
  for (const [, field = "", json = ""] of members.matchAll(ENTRY)) {
    const value = textOf(json);
    if (value === undefined || value.length > MAX_INDEXED_CHARS || index.some((known) => known.field === field)) return undefined;
    index.push({ field, value });
  }
  return index.length > MAX_ABI.indexedFields ? undefined : { name, index };
}

/** A field of an event as people read it. */
export interface EventField {
  readonly name: string;
  /** A text as it is, anything else as its JSON, with all digits of integers. */
  readonly text: string;
  readonly isIndexed: boolean;
}

/** Fields of a line that is an event, those that are indexed first; undefined for any other line, and for data that is no JSON. */
export function readEventFields(line: string): readonly EventField[] | undefined {
  const event = parseContractEvent(line);
  const data = LINE.exec(line)?.[3];
  if (event === undefined || data === undefined || !isJson(data)) return undefined;
  return [
    ...event.index.map(({ field, value }) => ({ name: field, text: value, isIndexed: true })),
    ...jsonMembers(data).map(([name, json]) => ({ name, text: textOfJson(json), isIndexed: false })),
  ];
}

/** Which events are meant: those of a name, with these texts in indexed fields. */
export interface EventFilter {
  readonly event: string;
  readonly where: readonly { readonly field: string; readonly value: string }[];
}

/** What every line of an event begins with. */
export const EVENT_BEGINNING = '{"event":"';

/** True when a line is an event that the filter means. */
export function isEventOf(line: string, { event, where }: EventFilter): boolean {
  // Most lines of other names are recognised without being parsed.
  if (!line.startsWith(`${EVENT_BEGINNING}${event}",`)) return false;
  const parsed = parseContractEvent(line);
  return (
    parsed !== undefined && where.every(({ field, value }) => parsed.index.some((entry) => entry.field === field && entry.value === value))
  );
}

function textOf(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
