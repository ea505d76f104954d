// Calls of contracts that are free and change nothing: views, and what a transaction would do. They run on changes that are
// thrown away, as if in the next block, with little gas.
import { callContract } from "#node/ledger/contracts/call-contract.ts";
import type { ContractVm } from "#node/ledger/contracts/contract-vm.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import type { CallQueries, SimulatedCall, Simulation } from "#node/queries/read-queries.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { explainFault } from "#node/vm/faults/explain-fault.ts";
import { type CallFault, watchFaults } from "#node/vm/faults/watching-vm.ts";
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
  const { chainId, height, timeMs } = tip.block.header;
  if (call.amountUt > readAccount(database.state, call.caller).balanceUt) return failed("INSUFFICIENT_BALANCE");
  let fault: CallFault | undefined;
  const watched = watchFaults(vm, (last) => {
    fault = last;
  });
  const { failure, gasUsed, logs, result } = callContract(
    new OverlayStateView(database.state),
    {
      ...call,
      chainId,
      origin: call.caller,
      txId: "simulation",
      height: height + 1,
      timeS: Math.floor(Math.max(clock.nowMs(), timeMs + 1) / 1000),
    },
    watched,
  );
  if (failure === undefined) return { code: "", reason: "", gasUsed, logs: logs.map(({ message }) => message), result };
  return { ...failed(failure, logs[0]?.message ?? wordsOfTrial(failure, call.gasLimit, fault)), gasUsed };
}

/** A trial ends with the free gas; what to do about a gas limit that was paid for would mislead. */
function wordsOfTrial(code: FailureCode, gasLimit: number, fault: CallFault | undefined): string {
  const isLimit = code === "CONTRACT_OUT_OF_GAS";
  const words = isLimit ? `The call needs more than the ${gasLimit} gas with which it was tried out, or never ends.` : FAILURE_CODES[code];
  const cause = causeOf(fault);
  return cause === "" ? words : `${words} Cause: ${cause}.`;
}

/**
 * Names are those of exports: names that an author put into a module have no price. Reading the module again costs no more than loading
 * it, which the call has paid.
 */
function causeOf(fault: CallFault | undefined): string {
  return fault === undefined ? "" : explainFault(fault.end, { code: fault.code(), named: NOTHING });
}

function failed(code: FailureCode, reason?: string): Simulation {
  return { code, reason: reason ?? FAILURE_CODES[code], gasUsed: 0, logs: [], result: NOTHING };
}
