// Calls of contracts on a light node. No module runs in the node itself: a process runs them over what is proven, and says what it lacks.
import type { TransactionProblem } from "#node/ledger/check-transaction.ts";
import type { CallQueries, DeploymentSimulation, SimulatedCall, SimulatedDeployment, Simulation } from "#node/queries/read-queries.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import type { Timers } from "#shared/util/clock.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { KnownState, PassOutcome } from "../reads/known-state.ts";
import type { ProvenReads } from "../reads/proven-reads.ts";
import type { ProvenCall, ProvenTask, TaskResult } from "./call-passes.ts";

/** One pass in the process. @throws CodedError of the call, UNAVAILABLE when the process ends at it, BUSY */
export type RunPass = (call: ProvenCall) => Promise<PassOutcome<TaskResult>>;

const TOO_LATE = "Other nodes answer too slowly for all that the contract reads: try again";

/** Calls, each on one proven state. */
export class LightCalls implements CallQueries {
  readonly #reads: ProvenReads;
  readonly #runPass: RunPass;
  readonly #timers: Timers;
  #searchGas = 0;

  constructor(reads: ProvenReads, runPass: RunPass, timers: Timers) {
    this.#reads = reads;
    this.#runPass = runPass;
    this.#timers = timers;
  }

  /** Gas that it took so far to find out what calls need, beside what they say themselves. */
  get searchGas(): number {
    return this.#searchGas;
  }

  async simulate(call: SimulatedCall): Promise<Simulation> {
    return (await this.#run({ call })) as Simulation;
  }

  async simulateDeployment(deployment: SimulatedDeployment): Promise<DeploymentSimulation> {
    return (await this.#run({ deployment })) as DeploymentSimulation;
  }

  /** Why a transaction would fail as the only one of its sender in the next block. */
  async problemOf(tx: Transaction, nowMs: number): Promise<TransactionProblem | undefined> {
    return (await this.#run({ trial: { bytes: encodeTransaction(tx), nowMs } })) as TransactionProblem | undefined;
  }

  /** What peers still answer when its time is over leads to no further pass. */
  async #run(task: ProvenTask): Promise<TaskResult> {
    const tooLate = Promise.withResolvers<never>();
    let isLate = false;
    const cancel = this.#timers.setTimer(LIGHT_LIMITS.callMs, () => {
      isLate = true;
      tooLate.reject(new CodedError("UPSTREAM_FAILED", TOO_LATE));
    });
    const runPass = async (known: KnownState): Promise<PassOutcome<TaskResult>> => {
      if (isLate) throw new CodedError("UPSTREAM_FAILED", TOO_LATE);
      return await this.#runPass({ task, known });
    };
    try {
      const { value, searchGas } = await Promise.race([this.#reads.readElsewhere(runPass), tooLate.promise]);
      this.#searchGas += searchGas;
      return value;
    } finally {
      cancel();
    }
  }
}
