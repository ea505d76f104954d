// Calls of contracts that are free and change nothing: views, and what a transaction would do. They run on changes that are
// thrown away, as if in the next block, with little gas.
import { callContract } from "#node/ledger/contracts/call-contract.ts";
import type { ContractVm } from "#node/ledger/contracts/contract-vm.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import type { CallQueries, SimulatedCall, Simulation } from "#node/queries/read-queries.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { FAILURE_CODES, type FailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { ChainReads } from "../chain-reads.ts";

/** What simulations need beside the chain. */
export interface CallQueryDependencies {
  readonly vm: ContractVm;
  readonly clock: Clock;
}

const NOTHING = new Uint8Array(0);

/** Queries over a chain, each within one snapshot of its database. */
export function createCallQueries(database: ChainReads, { vm, clock }: CallQueryDependencies): CallQueries {
  return { simulate: (call) => simulate(database, { vm, clock }, call) };
}

function simulate(database: ChainReads, { vm, clock }: CallQueryDependencies, call: SimulatedCall): Simulation {
  const tip = database.blocks.get(database.blocks.tipHeight() ?? 0);
  assertInvariant(tip !== undefined, "A chain has a newest block");
  const { height, timeMs } = tip.block.header;
  if (call.amountUt > readAccount(database.state, call.caller).balanceUt) return failed("INSUFFICIENT_BALANCE");
  const { failure, gasUsed, logs, result } = callContract(
    new OverlayStateView(database.state),
    {
      ...call,
      origin: call.caller,
      txId: "simulation",
      height: height + 1,
      timeS: Math.floor(Math.max(clock.nowMs(), timeMs + 1) / 1000),
    },
    vm,
  );
  if (failure === undefined) return { code: "", reason: "", gasUsed, logs: logs.map(({ message }) => message), result };
  return { ...failed(failure, logs[0]?.message ?? wordsOfTrial(failure, call.gasLimit)), gasUsed };
}

/** A trial ends with the free gas; what to do about a gas limit that was paid for would mislead. */
function wordsOfTrial(code: FailureCode, gasLimit: number): string | undefined {
  if (code !== "CONTRACT_OUT_OF_GAS") return undefined;
  return `The call needs more than the ${gasLimit} gas with which it was tried out, or never ends.`;
}

function failed(code: FailureCode, reason?: string): Simulation {
  return { code, reason: reason ?? FAILURE_CODES[code], gasUsed: 0, logs: [], result: NOTHING };
}
