// A light node's source over the database of a full node: values are real, and what a test wants to be wrong is made wrong by it.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { RequestContext } from "#node/api/handler-types.ts";
import { createHandlers } from "#node/api/handlers.ts";
import { writeExactJson } from "#node/api/json/exact-json.ts";
import { resolveApiOptions } from "#node/api/options.ts";
import { TrialBudget } from "#node/api/security/trial-budget.ts";
import type { ApiServices } from "#node/api/services.ts";
import { createReadQueries } from "#node/explorer/queries/read-queries.ts";
import type { LightSource, ProvenBody } from "#node/light/light-source.ts";
import type { LeafWithProof } from "#node/light/wire/light-responses.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { ChainReader } from "#node/storage/chain/chain-database.ts";
import type { Operation } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { merkleProof } from "#shared/protocol/primitives/merkle.ts";
import { encodeReceipt } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { REWARD_ID_PREFIX } from "#shared/protocol/transactions/transaction-id.ts";
import type { Clock } from "#shared/util/clock.ts";

/** What was asked of a {@link MemoryLightSource}. */
export interface SourceCalls {
  records: number;
  bodies: number;
  histories: number;
  unverified: string[];
  /** Transactions and bodies that were asked for while others were under way, at most. */
  mostAtOnce: number;
  /** Keys of the largest request for records. */
  mostKeys: number;
}

/** A source over a database. */
export interface MemoryLightSource extends LightSource {
  readonly calls: SourceCalls;
  readonly submitted: Transaction[];
  /** Heights above this are not known yet; undefined: all are. */
  limit: number | undefined;
  /** Changes what a peer reports. */
  tell: ((operation: string, response: unknown) => unknown) | undefined;
  /** What handing in a transaction does. */
  onSubmit: (transaction: Transaction) => Promise<{ readonly warning?: string }>;
  /** The tip has moved. */
  moved(): void;
}

const ANONYMOUS: RequestContext = {
  address: "",
  isOwn: true,
  looksLocal: true,
  isExempt: true,
  spend: () => undefined,
  inboxProof: undefined,
  onHangUp: () => undefined,
};

/** A source that knows what the database knows. */
export function createMemoryLightSource(database: ChainReader, clock: Clock): MemoryLightSource {
  const listeners = new Set<(tip: TrustedBlock) => void>();
  const mempool = { get: (): undefined => undefined };
  const services = { ...createReadQueries(database, clock), mempool, clock } as unknown as ApiServices;
  const options = resolveApiOptions({ listenHost: "127.0.0.1" });
  const handlers = createHandlers(services, options, new TrialBudget(options.limits, clock));
  const newest = (): number => Math.min(database.blocks.tipHeight() ?? 0, source.limit ?? Number.MAX_SAFE_INTEGER);
  const trusted = (height: number): TrustedBlock => {
    const record = database.blocks.get(height);
    if (record === undefined) throw new Error(`There is no block ${height}`);
    return { header: record.block.header, hash: record.hash, commit: record.commit, validators: database.validatorSets.at(height) };
  };
  const bodyOf = (height: number): ProvenBody => {
    const record = database.blocks.get(height);
    if (record === undefined) throw new Error(`There is no block ${height}`);
    return { at: trusted(height), block: record.block, receipts: record.receipts };
  };
  const calls: SourceCalls = { records: 0, bodies: 0, histories: 0, unverified: [], mostKeys: 0, mostAtOnce: 0 };
  let underWay = 0;
  const inTurn = async (): Promise<void> => {
    underWay += 1;
    calls.mostAtOnce = Math.max(calls.mostAtOnce, underWay);
    await nextTurn();
    underWay -= 1;
  };
  const source: MemoryLightSource = {
    calls,
    submitted: [],
    limit: undefined,
    tell: undefined,
    onSubmit: () => Promise.resolve({}),
    moved: () => {
      for (const listener of listeners) listener(source.tip());
    },
    tip: () => trusted(newest()),
    onTip: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    blockAt: async (height) => (height > newest() ? undefined : trusted(height)),
    records: async (keys) => {
      calls.records += 1;
      calls.mostKeys = Math.max(calls.mostKeys, keys.length);
      await nextTurn();
      const at = trusted(database.blocks.tipHeight() ?? 0);
      return { at, values: keys.map(({ namespace, key }) => database.state.get(namespace, key)) };
    },
    body: async (height) => {
      calls.bodies += 1;
      await inTurn();
      return height > newest() ? undefined : bodyOf(height);
    },
    transaction: async (id) => {
      await inTurn();
      const entry = id.startsWith(REWARD_ID_PREFIX) ? undefined : database.explorer.transaction(id);
      if (entry === undefined) return undefined;
      const { at, block, receipts } = bodyOf(entry.blockHeight);
      const position = block.transactions.findIndex((tx) => tx.id === id);
      const [transaction, receipt] = [block.transactions[position], receipts[position]];
      if (transaction === undefined || receipt === undefined) throw new Error(`${id} stands in no block`);
      const [leaves, outcomes] = [block.transactions.map(encodeTransaction), receipts.map(encodeReceipt)];
      const leafOf = (encoded: readonly Uint8Array[]): LeafWithProof => ({
        bytes: encoded[position] ?? new Uint8Array(),
        siblings: [...merkleProof(encoded, position, nativeSha256).siblings],
      });
      const proof = { count: leaves.length, transaction: leafOf(leaves), receipt: leafOf(outcomes) };
      return { at, transaction, receipt, position, proof };
    },
    history: async (account, { limit, offset }) => {
      calls.histories += 1;
      await nextTurn();
      const entryIds = database.explorer.historyPage(account, limit, offset).map(({ id }) => id);
      return { at: trusted(newest()), count: database.explorer.historyPage(account, 1_000_000, 0).length, entryIds };
    },
    readUnverified: async (operation, input) => {
      calls.unverified.push(operation);
      const handler = handlers[operation as Operation] as (input: unknown, context: RequestContext) => unknown;
      const response: unknown = JSON.parse(writeExactJson(await handler(input, ANONYMOUS)));
      return source.tell?.(operation, response) ?? response;
    },
    submit: (transaction) => {
      source.submitted.push(transaction);
      return source.onSubmit(transaction);
    },
  };
  return source;
}

/** What a source says whose peers are all away. */
export function noPeer(): CodedError {
  return new CodedError("UPSTREAM_FAILED", "No other node answers");
}
