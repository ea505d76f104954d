// The query of a request for what a contract logged.
import { type LogQuery, parseLogPosition } from "#node/queries/contract-logs.ts";
import type { Input } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { MAX_INDEXED_CHARS } from "#shared/protocol/primitives/limits.ts";
import type { EventFilter } from "#shared/protocol/transactions/contract-events.ts";
import { MAX_ABI } from "#shared/protocol/transactions/contracts.ts";

const DEFAULT_LIMIT = 50;

/** @throws CodedError BAD_REQUEST naming what is wrong. */
export function logQueryOf(input: Input<"listContractLogs">): LogQuery {
  const { limit = DEFAULT_LIMIT, order = "desc", since, after } = input;
  const position = after === undefined ? undefined : parseLogPosition(after);
  if (after !== undefined && position === undefined) throw refused("after", "after is the position of an entry, as in next_after");
  const filter = filterOf(input);
  return {
    limit,
    order,
    ...(since === undefined ? {} : { since }),
    ...(position === undefined ? {} : { after: position }),
    ...(filter === undefined ? {} : { filter }),
  };
}

function filterOf({ event, where }: Input<"listContractLogs">): EventFilter | undefined {
  if (event === undefined && where === undefined) return undefined;
  if (event === undefined) throw refused("where", "where needs the name of an event in event");
  return { event, where: where === undefined ? [] : fieldsOf(where) };
}

function fieldsOf(text: string): EventFilter["where"] {
  const value = parsed(text);
  const entries = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const where = entries.flatMap(([field, wanted]) =>
    typeof wanted === "string" && wanted.length <= MAX_INDEXED_CHARS ? [{ field, value: wanted }] : [],
  );
  if (where.length !== entries.length || where.length === 0 || where.length > MAX_ABI.indexedFields)
    throw refused("where", `where is a JSON object of 1 to ${MAX_ABI.indexedFields} indexed fields with texts, such as {"to":"5c0f"}`);
  return where;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(field: string, message: string): CodedError {
  return new CodedError("BAD_REQUEST", message, { details: { field } });
}
