// Contracts of a light node, in the process that runs them: over what the node has proven so far, as often as it has proven more.
import { type CallQueryDependencies, createCallQueries } from "#node/explorer/queries/call-queries.ts";
import type { TransactionProblem } from "#node/ledger/check-transaction.ts";
import { problemOfTrial, type TrialNetwork } from "#node/mempool/transaction-trials.ts";
import type { DeploymentSimulation, SimulatedCall, SimulatedDeployment, Simulation } from "#node/queries/read-queries.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { decodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { type KnownState, KnownStateReader, type PassOutcome } from "../reads/known-state.ts";

/** What is to be run. */
export type ProvenTask =
  | { readonly call: SimulatedCall }
  | { readonly deployment: SimulatedDeployment }
  | { readonly trial: { readonly bytes: Uint8Array; readonly nowMs: number } };

/** A task with what is known for it. */
export interface ProvenCall {
  readonly task: ProvenTask;
  readonly known: KnownState;
}

/** What comes of a task: of a trial why the transaction would fail, if it would. */
export type TaskResult = Simulation | DeploymentSimulation | TransactionProblem | undefined;

/** A millisecond of a processor in gas, at the worst price of gas. */
const GAS_PER_MS = 500_000;

/** Runs tasks, none of which outlives its pass. @throws CodedError UPSTREAM_FAILED for a call that walks over keys */
export function createCallPasses(
  network: TrialNetwork,
  dependencies: CallQueryDependencies,
): (call: ProvenCall) => PassOutcome<TaskResult> {
  return ({ task, known }): PassOutcome<TaskResult> => {
    const before = process.cpuUsage();
    const state = new KnownStateReader(known);
    const outcome = attempt(() => run(task, { network, dependencies, tip: known.tip, state }));
    if (state.missing.length > 0) {
      const { user, system } = process.cpuUsage(before);
      return { missing: state.missing, gasUsed: Math.ceil(((user + system) / 1_000) * GAS_PER_MS) };
    }
    if ("error" in outcome) throw outcome.error;
    if (state.hasWalked)
      throw new CodedError("UPSTREAM_FAILED", "The contract searches keys in their order, which only a full node can do: ask one");
    return outcome;
  };
}

interface TaskSurroundings {
  readonly network: TrialNetwork;
  readonly dependencies: CallQueryDependencies;
  readonly tip: KnownState["tip"];
  readonly state: KnownStateReader;
}

function run(task: ProvenTask, { network, dependencies, tip, state }: TaskSurroundings): TaskResult {
  if ("trial" in task) {
    const { bytes, nowMs } = task.trial;
    const timeMs = Math.max(nowMs, tip.timeMs);
    return problemOfTrial(decodeTransaction(bytes), network, dependencies.vm, {
      state,
      height: tip.height,
      timeMs,
    });
  }
  const queries = createCallQueries({ state, tip: () => tip }, dependencies);
  return "call" in task ? queries.simulate(task.call) : queries.simulateDeployment(task.deployment);
}

function attempt<T>(work: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}
