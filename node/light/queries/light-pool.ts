// Admission of transactions by a light node: checked like on a full node, over proven state, then handed to peers, and remembered until a
// block holds them or none can any more.
import { isInTimeWindow, type TransactionProblem } from "#node/ledger/check-transaction.ts";
import type { TransactionContext } from "#node/ledger/context.ts";
import type { ContractVm } from "#node/ledger/contracts/contract-vm.ts";
import { readParamsOf } from "#node/ledger/records/params-records.ts";
import { checkSubmitted, duplicate, isSameTransaction, memoWarning, refuse, type SubmissionChecks } from "#node/mempool/check-submitted.ts";
import type { Submission } from "#node/mempool/mempool.ts";
import { type PendingTransaction, pendingTransaction } from "#node/mempool/pending-transaction.ts";
import { SenderQueue } from "#node/mempool/sender-queue.ts";
import { runsModule } from "#node/mempool/try-transaction.ts";
import type { Log } from "#node/observability/log.ts";
import type { ChainEvents, TransactionPool } from "#node/queries/chain-events.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { parseTransaction } from "#shared/protocol/transactions/parse-transaction.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { ProvenReads } from "../reads/proven-reads.ts";

/** Nothing hands a module to it: a trial without gas runs none. */
const NO_MACHINE: ContractVm = { inspect: runsNone, run: runsNone };
/** What may wait here; peers hold what was handed to them. */
const MAX_PENDING = 500;

/** Tries transactions out that run a module: never in this process. */
export interface ModuleTrials {
  /** Why it would fail as the only one of its sender in the next block, if that is known. */
  problemOf(tx: Transaction, nowMs: number): Promise<TransactionProblem | undefined>;
  /** True for a transaction at whose trial a process died. */
  isRefused(txId: string): boolean;
}

export interface LightPoolDependencies {
  readonly genesis: Genesis;
  readonly reads: ProvenReads;
  readonly events: Required<ChainEvents>;
  readonly trials: ModuleTrials;
  readonly checks: SubmissionChecks;
  readonly log: Log;
}

/** Transactions that this node handed in. */
export class LightPool implements TransactionPool {
  readonly #dependencies: LightPoolDependencies;
  readonly #pending = new Map<string, PendingTransaction>();
  readonly #unsubscribe: readonly (() => void)[];
  #arrivals = 0;

  constructor(dependencies: LightPoolDependencies) {
    this.#dependencies = dependencies;
    const { events, reads } = dependencies;
    this.#unsubscribe = [
      events.onCommit(
        ({ block }) => this.#remove(block.transactions),
        () => this.#pending.size > 0,
      ),
      events.onSkipped(() => void this.#lookUp()),
      reads.source.onTip(({ header }) => this.#dropExpired(header.timeMs)),
    ];
  }

  /** How many were submitted and are in no block that this node has seen. */
  get size(): number {
    return this.#pending.size;
  }

  has(id: string): boolean {
    return this.#pending.has(id);
  }

  get(id: string): Transaction | undefined {
    return this.#pending.get(id)?.tx;
  }

  /** Resolves when a peer has taken it in, or knows it already. @throws CodedError with the reason, a peer's one too */
  async submit(raw: unknown, nowMs: number): Promise<Submission> {
    const { genesis, reads, checks } = this.#dependencies;
    const { tx, memo } = parseTransaction(raw, genesis.chain_id);
    const context = await this.#context(nowMs);
    if (this.#dependencies.trials.isRefused(tx.id)) throw duplicate(tx.id);
    const again: Submission = { id: tx.id, status: "accepted", ...memoWarning(tx, memo) };
    if (!this.#pending.has(tx.id) && this.#pending.size >= MAX_PENDING)
      throw new CodedError("MEMPOOL_FULL", "Too many transactions of this node wait for a block: try again later");
    const { timeMs, params } = context;
    await checkSubmitted(tx, { chainId: genesis.chain_id, timeMs, minFeeUt: params.min_fee_ut }, checks);
    if (this.#isPending(tx)) return again;
    await this.#checkState(tx, context, nowMs);
    if (this.#isPending(tx)) return again;
    const entry = pendingTransaction(tx, this.#arrivals, { isUrgent: false, block: params });
    this.#arrivals += 1;
    this.#pending.set(tx.id, entry);
    try {
      const { warning } = await reads.source.submit(tx);
      return { id: tx.id, status: "accepted", ...(warning === undefined ? memoWarning(tx, memo) : { warning }) };
    } catch (error) {
      this.#pending.delete(tx.id);
      if (isCodedError(error, "TX_DUPLICATE") && isSameTransaction(tx, undefined)) return again;
      throw error;
    }
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  /** @throws CodedError TX_DUPLICATE for another transaction of the id */
  #isPending(tx: Transaction): boolean {
    const pending = this.#pending.get(tx.id);
    if (pending !== undefined && !isSameTransaction(tx, pending.tx)) throw duplicate(tx.id);
    return pending !== undefined;
  }

  /**
   * The ledger's own check after what the sender has handed in before. A module is tried out elsewhere, unless calls of the sender precede it:
   * what those leave behind is not known there.
   */
  async #checkState(tx: Transaction, context: TransactionContext, nowMs: number): Promise<void> {
    const { reads, trials } = this.#dependencies;
    const earlier = [...this.#pending.values()].filter((entry) => entry.tx.from === tx.from);
    const { problem, isTried } = await reads.read(({ state }) => {
      const queue = new SenderQueue(state);
      for (const entry of earlier) queue.append(entry);
      return { problem: queue.problemOf(tx, context), isTried: queue.hasPaymentsOnly && runsModule(state, tx) };
    });
    refuse(problem);
    if (isTried) refuse(await trials.problemOf(tx, nowMs));
  }

  /** With the parameters of the tip, which are read only where the network has changed them. */
  async #context(nowMs: number): Promise<TransactionContext> {
    const { genesis, reads } = this.#dependencies;
    const { height, timeMs, paramsHash } = reads.source.tip().header;
    const first = firstParams(genesis.params);
    const params = (await reads.read(({ state }) => readParamsOf(state, first, paramsHash))) ?? first;
    return {
      chainId: genesis.chain_id,
      params,
      vm: NO_MACHINE,
      // A call that gets no gas is taken to succeed.
      trial: { gas: 0 },
      height: height + 1,
      timeMs: Math.max(nowMs, timeMs),
      gasLeft: params.max_block_gas,
      // The peer that accepts it knows the ids of the last hours.
      hasSeenId: (): boolean => false,
    };
  }

  #remove(transactions: readonly Pick<Transaction, "id">[]): void {
    for (const { id } of transactions) this.#pending.delete(id);
  }

  #dropExpired(timeMs: number): void {
    for (const { tx, timestampMs } of this.#pending.values())
      if (timestampMs <= timeMs && !isInTimeWindow(timestampMs, timeMs)) this.#pending.delete(tx.id);
  }

  /** After blocks that were not looked at. */
  async #lookUp(): Promise<void> {
    const { reads, log } = this.#dependencies;
    for (const id of [...this.#pending.keys()]) {
      try {
        if ((await reads.read(({ explorer }) => explorer.transaction(id))) !== undefined) this.#pending.delete(id);
      } catch (error) {
        log.debug({ err: error, id }, "A pending transaction could not be looked up");
      }
    }
  }
}

function runsNone(): never {
  throw new CodedError("INVARIANT", "No contract runs in the process of a light node");
}
