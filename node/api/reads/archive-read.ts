// What reads of other nodes' blocks have in common: who may cause them, what they are named, and what a refusal means.
import type { ArchiveRead, ArchiveReads } from "#node/queries/archive-reads.ts";
import type { Operation } from "#shared/api/api.ts";
import { parseResponse } from "#shared/api/client.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { RequestContext } from "../handler-types.ts";
import { JsonText } from "../json/json-text.ts";
import { OTHER_NODE } from "./public-reads.ts";

/** Entries, or blocks, that one read fetches at most. */
export const MOST_FETCHED = 100;
/** Blocks of a page whose size is not given. */
export const LISTED_BLOCKS = 20;
/** In the text of a response only the field looks so: quotes in what people wrote have a backslash. */
export const MISSING = '"missing_below":';
/** Requests of a list beside those for its blocks or entries, about: for headers. */
export const LIST_COST = 4;

/** What another node asks is never asked on. */
export function mayLook(archive: ArchiveReads, context: RequestContext): boolean {
  return context !== OTHER_NODE && archive.canRead;
}

/** A read as it is counted; `cost` is the requests that it takes of peers, about. */
export function readOf(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  { address, isOwn }: RequestContext,
  cost: number,
): ArchiveRead {
  return { name: operation + JSON.stringify(input), address, isOwn, cost };
}

/** What this node has of the page it shows in any case. */
export function unlessRefused(error: unknown): undefined {
  if (!isCodedError(error)) throw error;
}

/** A response as what it says. */
export function objectOf<T extends object>(response: T | JsonText): T {
  return response instanceof JsonText ? (parseResponse(response.text) as T) : response;
}
