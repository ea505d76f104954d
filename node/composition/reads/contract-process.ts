// The process that runs contracts for requests, seen from the node: it starts with the first request, and again when it dies. What it died at
// is refused, and the module interpreted there as long as this node runs: anyone can make a process run out of memory or time, so no more follows.
import type { HeavyCaller, HeavyReads } from "#node/api/heavy-operations.ts";
import type { TransactionProblem } from "#node/ledger/check-transaction.ts";
import type { ProvenCall, TaskResult } from "#node/light/queries/call-passes.ts";
import type { PassOutcome } from "#node/light/reads/known-state.ts";
import type { TrialNetwork } from "#node/mempool/transaction-trials.ts";
import type { Log } from "#node/observability/log.ts";
import { type LeftMark, MAX_LEFT_MARKS, takeProcessMark } from "#node/observability/run-mark-files.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { ContractReaderStart, EngineFailure } from "./contract-reader.ts";
import type { ReadResponse } from "./read-messages.ts";
import { CONTRACT_PROCESS_LIMITS, createReadThread, type ReadThread } from "./read-thread.ts";
import { type Reader, startReadProcess } from "./reader.ts";

export interface ContractProcessDependencies {
  readonly directory: string;
  readonly network: TrialNetwork;
  /** True for a light node: the process reads no chain, and is given what is proven. */
  readonly isLight?: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Starts the process; for tests that end it. */
  readonly start?: (start: ContractReaderStart) => Reader;
}

/** Runs contracts for requests. */
export interface ContractProcess extends Pick<HeavyReads, "read"> {
  /** Why a transaction would fail as its sender's only one; undefined too when that could not be tried out. */
  problemOf(tx: Transaction, nowMs: number): Promise<TransactionProblem | undefined>;
  /** The same by a trial that is run here pass by pass, over what a light node has proven. */
  problemByPasses(tx: Transaction, trial: () => Promise<TransactionProblem | undefined>): Promise<TransactionProblem | undefined>;
  /** One pass of a call over what a light node has proven. @throws CodedError as {@link HeavyReads.read} */
  runPass(call: ProvenCall, caller?: HeavyCaller): Promise<PassOutcome<TaskResult>>;
  /** True for a transaction at whose trial the process died. */
  isRefused(txId: string): boolean;
  /** Modules at which it died, which it interprets. */
  readonly modules: number;
  /** Calls at which its engine failed. */
  readonly faults: number;
  stop(): Promise<void>;
}

const DIED = "The engine of this node failed at the contract, which it interprets from now on: try again";

/** A process for the contracts of a chain, with its marks in a folder; nothing is started yet. */
export function createContractProcess(dependencies: ContractProcessDependencies): ContractProcess {
  return new ForkedContracts(dependencies);
}

class ForkedContracts implements ContractProcess {
  readonly #dependencies: ContractProcessDependencies;
  readonly #reads: ReadThread;
  readonly #marked = new Set<string>();
  readonly #refused = new Set<string>();
  #faults = 0;

  constructor(dependencies: ContractProcessDependencies) {
    this.#dependencies = dependencies;
    this.#reads = createReadThread({
      start: () => this.#start(),
      clock: dependencies.clock,
      limits: CONTRACT_PROCESS_LIMITS,
      onEnd: (error) => this.#died(error),
    });
  }

  get modules(): number {
    return this.#marked.size;
  }

  get faults(): number {
    return this.#faults;
  }

  read: HeavyReads["read"] = (operation, input, caller) => this.#reads.read(operation, input, caller);

  isRefused(txId: string): boolean {
    return this.#refused.has(txId);
  }

  runPass(call: ProvenCall, caller?: HeavyCaller): Promise<PassOutcome<TaskResult>> {
    return this.#reads.readPass(call, caller);
  }

  problemOf(tx: Transaction, nowMs: number): Promise<TransactionProblem | undefined> {
    return this.problemByPasses(tx, () => this.#reads.readTrial({ bytes: encodeTransaction(tx), nowMs }));
  }

  async problemByPasses(tx: Transaction, trial: () => Promise<TransactionProblem | undefined>): Promise<TransactionProblem | undefined> {
    try {
      return await trial();
    } catch (error) {
      if (this.#refused.has(tx.id)) return { code: "TX_REJECTED", message: DIED };
      // It pays in its block for what it turns out to be.
      this.#dependencies.log.debug({ err: error, txid: tx.id }, "A transaction could not be tried out");
      return undefined;
    }
  }

  stop(): Promise<void> {
    return this.#reads.stop();
  }

  #start(): Reader {
    const { directory, network, isLight = false, start = startContractReader } = this.#dependencies;
    const reader = start({ directory, network, isLight, marked: [...this.#marked] });
    return {
      ...reader,
      onResponse: (listener): void =>
        reader.onResponse((message: ReadResponse | EngineFailure) => {
          if ("engineFailure" in message) this.#noteFailure(message.engineFailure);
          else listener(message);
        }),
    };
  }

  #noteFailure(text: string): void {
    this.#faults += 1;
    this.#dependencies.log.error({ failure: text }, "The engine failed at a contract, which is interpreted instead");
  }

  #died(error: unknown): unknown {
    const { log } = this.#dependencies;
    const mark = this.#takeMark();
    if (mark === undefined) {
      log.warn({ err: error }, "The process that runs contracts for requests ended");
      return new CodedError("UNAVAILABLE", "The process that runs contracts ended: try again", { cause: error });
    }
    keep(this.#marked, mark.moduleHash);
    if (mark.txId !== "") keep(this.#refused, mark.txId);
    log.warn(
      { err: error, module: mark.moduleHash, txid: mark.txId },
      "The process that runs contracts for requests ended at a contract: its module is interpreted there from now on",
    );
    return new CodedError("UNAVAILABLE", DIED, { cause: error });
  }

  /** A disk that is full or lost must not end the node here: the next process clears the mark, or does not start. */
  #takeMark(): LeftMark | undefined {
    const { directory, log } = this.#dependencies;
    try {
      return takeProcessMark(directory);
    } catch (error) {
      log.error({ err: error }, "What the process that runs contracts died at could not be read, or not cleared");
      return undefined;
    }
  }
}

/** The newest ones are kept. */
function keep(kept: Set<string>, item: string): void {
  kept.add(item);
  const [oldest] = kept;
  if (kept.size > MAX_LEFT_MARKS && oldest !== undefined) kept.delete(oldest);
}

/** The process's file beside this module: its source, or what a bundle made of it. */
function contractReaderFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./contract-reader.ts" : "./contract-reader.mjs", import.meta.url);
}

function startContractReader(start: ContractReaderStart): Reader {
  return startReadProcess(contractReaderFile(), start);
}
