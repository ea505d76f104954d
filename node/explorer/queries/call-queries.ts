// Calls of contracts that are free and change nothing: views, and what a transaction would do. They run on changes that are
// thrown away, as if in the next block, with little gas.
import { callContract, deploymentGas } from "#node/ledger/contracts/call-contract.ts";
import { parseArguments } from "#node/ledger/contracts/contract-value.ts";
import type { ContractVm } from "#node/ledger/contracts/contract-vm.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import { storeModule } from "#node/ledger/transactions/contracts/deploy-contract.ts";
import type { CallQueries, DeploymentSimulation, SimulatedCall, SimulatedDeployment, Simulation } from "#node/queries/read-queries.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import type { CodePlace } from "#node/vm/faults/code-place.ts";
import { explainFault, placesOfEnd } from "#node/vm/faults/explain-fault.ts";
import { locateInvalid } from "#node/vm/faults/explain-invalid.ts";
import { type CallFault, watchFaults } from "#node/vm/faults/watching-vm.ts";
import type { BlockHeader } from "#shared/protocol/chain/header.ts";
import { deployedContractId, INIT_METHOD } from "#shared/protocol/transactions/contracts.ts";
import { FAILURE_CODES, type FailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { utf8 } from "#shared/util/bytes.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { ChainReads } from "../chain-reads.ts";

/** What a call sees of its chain. */
export interface CallChain {
  readonly state: StateReader;
  /** The newest block. */
  tip(): Pick<BlockHeader, "chainId" | "height" | "timeMs">;
}

/** What simulations need beside the chain. */
export interface CallQueryDependencies {
  readonly vm: ContractVm;
  readonly clock: Clock;
}

const NOTHING = new Uint8Array(0);
/** Stands for the id of a transaction that there is not. */
const TRIAL_ID = "simulation";
const SUCCEEDED: Simulation = { code: "", reason: "", gasUsed: 0, logs: [], result: NOTHING, places: [] };

/** {@link CallQueries} whose answers are there at once. */
export interface CallsAtOnce extends CallQueries {
  simulate(call: SimulatedCall): Simulation;
  simulateDeployment(deployment: SimulatedDeployment): DeploymentSimulation;
}

/** Queries over a chain, each within one snapshot of it. */
export function createCallQueries(chain: CallChain, { vm, clock }: CallQueryDependencies): CallsAtOnce {
  return {
    simulate: (call) => simulate(chain, { vm, clock }, call),
    simulateDeployment: (deployment) => simulateDeployment(chain, { vm, clock }, deployment),
  };
}

function simulate(chain: CallChain, dependencies: CallQueryDependencies, call: SimulatedCall): Simulation {
  if (call.amountUt > readAccount(chain.state, call.caller).balanceUt) return failed("INSUFFICIENT_BALANCE");
  return tryCall(chain, dependencies, { call, view: new OverlayStateView(chain.state) });
}

/** Only what refuses a deployment in its block does so here, but with the function at which a module breaks a rule. */
function simulateDeployment(
  chain: CallChain,
  dependencies: CallQueryDependencies,
  { deployer, code, abi, abiJson, initArgsJson, initGas }: SimulatedDeployment,
): DeploymentSimulation {
  const storeGas = deploymentGas(code.length, utf8(abiJson).length);
  const inspection = dependencies.vm.inspect(code);
  if (!inspection.isValid) {
    const reason = [inspection.message, locateInvalid({ code })].filter((part) => part !== "").join(", ");
    return { ...failed("CONTRACT_MODULE_INVALID", reason), gasUsed: storeGas, storeGas, functions: [] };
  }
  const functions = [...inspection.entries];
  const stored = { storeGas, functions };
  const missing = abi.methods.find(({ name }) => !inspection.entries.has(name));
  if (missing !== undefined) {
    const reason = `The ABI lists the method ${missing.name}, and the module exports no function of that name without parameters and result`;
    return { ...failed("CONTRACT_ABI_MISMATCH", reason), gasUsed: storeGas, ...stored };
  }
  const hasInit = abi.methods.some(({ name }) => name === INIT_METHOD);
  if (!hasInit) {
    const isRight = parseArguments(initArgsJson)?.length === 0;
    return { ...(isRight ? SUCCEEDED : failed("CONTRACT_ARGUMENTS")), gasUsed: storeGas, ...stored };
  }
  const view = new OverlayStateView(chain.state);
  const id = deployedContractId(deployer, TRIAL_ID);
  storeModule(view, { id, deployer, height: chain.tip().height + 1, code, abiJson, weight: inspection.weight });
  const call = { contractId: id, method: INIT_METHOD, argsJson: initArgsJson, caller: deployer, amountUt: 0, gasLimit: initGas };
  const outcome = tryCall(chain, dependencies, { call: { ...call, isReadOnly: false }, view, isDeployment: true });
  return { ...outcome, gasUsed: storeGas + outcome.gasUsed, ...stored };
}

/** A whole chain as calls see it. */
export function callChainOf({ state, blocks }: Pick<ChainReads, "state" | "blocks">): CallChain {
  return {
    state,
    tip: (): BlockHeader => {
      const tip = blocks.get(blocks.tipHeight() ?? 0);
      assertInvariant(tip !== undefined, "A chain has a newest block");
      return tip.block.header;
    },
  };
}

interface TriedCall {
  readonly call: SimulatedCall;
  readonly view: OverlayStateView;
  readonly isDeployment?: boolean;
}

function tryCall(chain: CallChain, { vm, clock }: CallQueryDependencies, { call, view, isDeployment = false }: TriedCall): Simulation {
  const { chainId, height, timeMs } = chain.tip();
  let fault: CallFault | undefined;
  const watched = watchFaults(vm, (last) => {
    fault = last;
  });
  const { failure, gasUsed, logs, result } = callContract(
    view,
    {
      ...call,
      isDeployment,
      chainId,
      origin: call.caller,
      txId: TRIAL_ID,
      height: height + 1,
      timeS: Math.floor(Math.max(clock.nowMs(), timeMs + 1) / 1000),
    },
    watched,
  );
  if (failure === undefined) return { code: "", reason: "", gasUsed, logs: logs.map(({ message }) => message), result, places: [] };
  const located = fault === undefined ? undefined : locate(fault);
  const reason = logs[0]?.message ?? wordsOfTrial(failure, call.gasLimit, located?.cause ?? "");
  const places = fault?.contractId === call.contractId ? (located?.places ?? []) : [];
  return { ...failed(failure, reason), gasUsed, places: places.map(({ functionIndex, at }) => ({ functionIndex, offset: at })) };
}

/** A trial ends with the free gas; what to do about a gas limit that was paid for would mislead. */
function wordsOfTrial(code: FailureCode, gasLimit: number, cause: string): string {
  const isLimit = code === "CONTRACT_OUT_OF_GAS";
  const words = isLimit ? `The call needs more than the ${gasLimit} gas with which it was tried out, or never ends.` : FAILURE_CODES[code];
  return cause === "" ? words : `${words} Cause: ${cause}.`;
}

/**
 * Names are those of exports: names that an author put into a module have no price. Reading the module again costs no more than loading
 * it, which the call has paid.
 */
function locate(fault: CallFault): { readonly cause: string; readonly places: readonly CodePlace[] } {
  const source = { code: fault.code(), named: NOTHING };
  const places = placesOfEnd(fault.end, source);
  return { cause: explainFault(fault.end, source, places), places };
}

function failed(code: FailureCode, reason?: string): Simulation {
  return { code, reason: reason ?? FAILURE_CODES[code], gasUsed: 0, logs: [], result: NOTHING, places: [] };
}
