// Calls of contracts on a light node. No module runs in the node itself: a process runs them over what is proven, and says what it lacks.
import type { TransactionProblem } from "#node/ledger/check-transaction.ts";
import type { CallQueries, DeploymentSimulation, SimulatedCall, SimulatedDeployment, Simulation } from "#node/queries/read-queries.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import type { Clock } from "#shared/util/clock.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { PassOutcome } from "../reads/known-state.ts";
import type { ProvenReads } from "../reads/proven-reads.ts";
import type { ProvenCall, ProvenTask, TaskResult } from "./call-passes.ts";

/** One pass in the process. @throws CodedError of the call, UNAVAILABLE when the process ends at it, BUSY */
export type RunPass = (call: ProvenCall) => Promise<PassOutcome<TaskResult>>;

/** Calls, each on one proven state. */
export class LightCalls implements CallQueries {
  readonly #reads: ProvenReads;
  readonly #runPass: RunPass;
  readonly #clock: Pick<Clock, "monotonicMs">;
  #searchGas = 0;

  constructor(reads: ProvenReads, runPass: RunPass, clock: Pick<Clock, "monotonicMs">) {
    this.#reads = reads;
    this.#runPass = runPass;
    this.#clock = clock;
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

  async #run(task: ProvenTask): Promise<TaskResult> {
    const lastMs = this.#clock.monotonicMs() + LIGHT_LIMITS.callMs;
    const { value, searchGas } = await this.#reads.readElsewhere(async (known) => {
      if (this.#clock.monotonicMs() > lastMs)
        throw new CodedError("UPSTREAM_FAILED", "Other nodes answer too slowly for all that the contract reads: try again");
      return this.#runPass({ task, known });
    });
    this.#searchGas += searchGas;
    return value;
  }
}
