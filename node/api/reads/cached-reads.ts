// Responses that are asked for again and again, kept as text. A transaction in a block never changes, for blocks are final; what depends on
// the newest block is kept until the next one.

import { whenThere } from "#node/queries/awaitable.ts";
import type { ChainEvents, CommittedBlock } from "#node/queries/chain-events.ts";
import { api, type Operation, type Output, operationsWhere } from "#shared/api/api.ts";
import type { Handlers } from "../handler-types.ts";
import { fieldNames } from "../http/url-fields.ts";
import { jsonWriterOf } from "../json/exact-json.ts";
import { JsonText } from "../json/json-text.ts";
import { LISTED_BLOCKS, MISSING } from "./archive-read.ts";
import { ResponseCache } from "./response-cache.ts";

/** Characters of the responses of one operation about final transactions, and of all those that last one block. */
export const RESPONSE_CACHE_CHARS = { final: 4_194_304, newest: 4_194_304 };

type Fields = Readonly<Record<string, unknown>>;
type AnyHandler = (input: Fields, context: unknown) => unknown;

/** Where answers of an operation are, and under which key. */
interface CachedOperation {
  readonly operation: Operation;
  readonly cache: ResponseCache;
  readonly keyOf: (input: Fields) => string;
}

/** Handlers that remember, and the way to stop that. */
export interface CachedReads {
  readonly handlers: Handlers;
  stop(): void;
}

/** Handlers that answer from memory what they have answered before. */
export function withCachedReads(handlers: Handlers, events: ChainEvents): CachedReads {
  const final = operationsWhere(({ cache }) => cache === "transaction").map(finalResponsesOf);
  const newest = new ResponseCache({ maxChars: RESPONSE_CACHE_CHARS.newest });
  const ofNewestBlock = operationsWhere(({ cache }) => cache === "block").map((operation) => responsesOfNewestBlock(operation, newest));
  let blocks = 0;
  const stop = events.onCommit(({ block }: CommittedBlock) => {
    blocks += 1;
    newest.clear();
    // An id may return two hours later, and then names the newer transaction.
    for (const { cache } of final) for (const { id } of block.transactions) cache.delete(id);
  });
  const remembering = ({ operation, cache, keyOf }: CachedOperation): AnyHandler => {
    const handler = handlers[operation] as AnyHandler;
    const write = jsonWriterOf(api[operation]);
    return (input, context) => {
      const key = keyOf(input);
      const known = cache.get(key);
      if (known !== undefined) return known;
      const asked = blocks;
      return whenThere(handler(input, context), (response) => {
        if (isPending(response) || isCut(operation, input, response)) return response;
        const text = response instanceof JsonText ? response : new JsonText(write(response));
        // A response that was on its way when a block came may be of the block before.
        if (asked === blocks) cache.set(key, text);
        return text;
      });
    };
  };
  const cached = [...final, ...ofNewestBlock].map((responses) => [responses.operation, remembering(responses)]);
  return { handlers: { ...handlers, ...(Object.fromEntries(cached) as Partial<Handlers>) }, stop };
}

/** True for a transaction that waits for a block: it may enter one, or never. */
function isPending(response: unknown): boolean {
  const { status, tx } = response as { readonly status?: unknown; readonly tx?: { readonly status?: unknown } };
  return status === "pending" || tx?.status === "pending";
}

/**
 * True for a page without what lies below the blocks of this node: another caller gets that from other nodes, or the same one a moment later,
 * and only clients of this node hear how many have it.
 */
function isCut(operation: Operation, { limit = LISTED_BLOCKS }: Fields, response: unknown): boolean {
  if (response instanceof JsonText) return response.text.includes(MISSING);
  if (operation !== "listBlocks") return typeof response === "object" && response !== null && "missing_below" in response;
  const blocks = response as Output<"listBlocks">;
  return blocks.length < Number(limit) && blocks.at(-1)?.index !== 0;
}

/** Under the id of the transaction, so that a block can take it out. */
function finalResponsesOf(operation: Operation): CachedOperation {
  const [id = ""] = fieldNames(api[operation].params);
  const cache = new ResponseCache({ maxChars: RESPONSE_CACHE_CHARS.final, storesFromSecond: true });
  return { operation, cache, keyOf: (input) => String(input[id]) };
}

function responsesOfNewestBlock(operation: Operation, cache: ResponseCache): CachedOperation {
  const { params, query } = api[operation];
  const names = [...fieldNames(params), ...fieldNames(query), "body"];
  return { operation, cache, keyOf: (input) => operation + JSON.stringify(names.map((name) => input[name])) };
}
