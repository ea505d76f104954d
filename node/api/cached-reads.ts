// Answers that are asked for again and again, kept as text. A transaction in a block never changes, for blocks are final; what depends on
// the newest block is kept until the next one.
import type { Input, Operation } from "#shared/api/api.ts";
import { AnswerCache } from "./answer-cache.ts";
import type { Handlers } from "./handlers.ts";
import { JsonText } from "./json-text.ts";
import type { ChainEvents, CommittedBlock } from "./services.ts";

/** Characters of the answers about final transactions, and of those that last one block. */
export const ANSWER_CACHE_CHARS = { final: 8_388_608, newest: 4_194_304 };

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

type FinalOperation = keyof typeof FINAL_READS;
type AnyHandler = (input: unknown, context: unknown) => unknown;
type KeyOf = (input: unknown) => string;

/** Handlers that remember, and the way to stop that. */
export interface CachedReads {
  readonly handlers: Handlers;
  stop(): void;
}

/** Handlers that answer from memory what they have answered before. */
export function withCachedReads(handlers: Handlers, events: ChainEvents): CachedReads {
  const final = new AnswerCache(ANSWER_CACHE_CHARS.final);
  const newest = new AnswerCache(ANSWER_CACHE_CHARS.newest);
  let blocks = 0;
  const stop = events.onCommit(({ block }: CommittedBlock) => {
    blocks += 1;
    newest.clear();
    // An id may return two hours later, and then names the newer transaction.
    for (const { id } of block.transactions)
      for (const operation of Object.keys(FINAL_READS) as FinalOperation[]) final.delete(`${operation} ${id}`);
  });
  const remembering = (operation: Operation, keyOf: KeyOf, cache: AnswerCache): AnyHandler => {
    const handler = handlers[operation] as AnyHandler;
    return (input, context) => {
      const key = `${operation} ${keyOf(input)}`;
      return cache.get(key) ?? ask(input, context, key);
    };
    async function ask(input: unknown, context: unknown, key: string): Promise<JsonText> {
      const asked = blocks;
      const answer = await handler(input, context);
      const text = answer instanceof JsonText ? answer : new JsonText(JSON.stringify(answer));
      // An answer that was on its way when a block came may be of the block before.
      if (asked === blocks) cache.set(key, text);
      return text;
    }
  };
  const cached = [
    ...Object.entries(FINAL_READS).map(([operation, keyOf]) => [operation, keyOf, final] as const),
    ...Object.entries(NEWEST_READS).map(([operation, keyOf]) => [operation, keyOf, newest] as const),
  ].map(([operation, keyOf, cache]) => [operation, remembering(operation as Operation, keyOf as KeyOf, cache)]);
  return { handlers: { ...handlers, ...(Object.fromEntries(cached) as Partial<Handlers>) }, stop };
}
