// Answers that are asked for again and again, kept as text. A transaction in a block never changes, for blocks are final; what depends on
// the newest block is kept until the next one.

import { whenThere } from "#node/queries/awaitable.ts";
import type { ChainEvents, CommittedBlock } from "#node/queries/chain-events.ts";
import type { Input, Operation } from "#shared/api/api.ts";
import type { Handlers } from "../handler-types.ts";
import { JsonText } from "../json-text.ts";
import { AnswerCache } from "./answer-cache.ts";

/** Characters of the answers of one operation about final transactions, and of all those that last one block. */
export const ANSWER_CACHE_CHARS = { final: 4_194_304, newest: 4_194_304 };

const none = (): string => "";

/** Answers that last, by what they depend on. */
const FINAL_READS = {
  getTransaction: ({ txid }: Input<"getTransaction">) => txid,
  getChainTransaction: ({ tx_id }: Input<"getChainTransaction">) => tx_id,
} as const satisfies { readonly [K in Operation]?: (input: Input<K>) => string };

/** Answers that last until the next block. */
const NEWEST_READS = {
  getNetstats: none,
  getChart: ({ resolution, limit }: Input<"getChart">) => `${resolution} ${limit}`,
  listBlocks: ({ limit, before }: Input<"listBlocks">) => `${limit} ${before}`,
  listRecentTransactions: ({ limit }: Input<"listRecentTransactions">) => String(limit),
  listValidators: none,
  listWellKnownContracts: none,
  getAddress: ({ addr, limit, offset }: Input<"getAddress">) => `${addr} ${limit} ${offset}`,
} as const satisfies { readonly [K in Operation]?: (input: Input<K>) => string };

type AnyHandler = (input: unknown, context: unknown) => unknown;
type KeyOf = (input: unknown) => string;

/** Handlers that remember, and the way to stop that. */
export interface CachedReads {
  readonly handlers: Handlers;
  stop(): void;
}

/** Handlers that answer from memory what they have answered before. */
export function withCachedReads(handlers: Handlers, events: ChainEvents): CachedReads {
  const final = Object.entries(FINAL_READS).map(
    ([operation, keyOf]) => [operation, keyOf, new AnswerCache({ maxChars: ANSWER_CACHE_CHARS.final, keepsFromSecond: true })] as const,
  );
  const newest = new AnswerCache({ maxChars: ANSWER_CACHE_CHARS.newest });
  let blocks = 0;
  const stop = events.onCommit(({ block }: CommittedBlock) => {
    blocks += 1;
    newest.clear();
    // An id may return two hours later, and then names the newer transaction.
    for (const [, , cache] of final) for (const { id } of block.transactions) cache.delete(id);
  });
  const remembering = (operation: Operation, keyOf: KeyOf, cache: AnswerCache): AnyHandler => {
    const handler = handlers[operation] as AnyHandler;
    return (input, context) => {
      const key = keyOf(input);
      const known = cache.get(key);
      if (known !== undefined) return known;
      const asked = blocks;
      return whenThere(handler(input, context), (answer) => {
        const text = answer instanceof JsonText ? answer : new JsonText(JSON.stringify(answer));
        // An answer that was on its way when a block came may be of the block before.
        if (asked === blocks) cache.set(key, text);
        return text;
      });
    };
  };
  const cached = [
    ...final,
    ...Object.entries(NEWEST_READS).map(
      ([operation, keyOf]) => [operation, (input: never): string => `${operation} ${keyOf(input)}`, newest] as const,
    ),
  ].map(([operation, keyOf, cache]) => [operation, remembering(operation as Operation, keyOf as KeyOf, cache)]);
  return { handlers: { ...handlers, ...(Object.fromEntries(cached) as Partial<Handlers>) }, stop };
}
