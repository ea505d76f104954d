// Calls without a transaction: views, and estimates of what a transaction would cost and do.
import { parseArguments } from "#node/ledger/contracts/contract-value.ts";
import type { ReadQueries, SimulatedCall, SimulatedDeployment, Simulation, SimulationPlace } from "#node/queries/read-queries.ts";
import type { Input, Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { MAX_GAS_LIMIT, MAX_WASM_BYTES } from "#shared/protocol/primitives/limits.ts";
import { type ContractId, gasPriceUt, isContractId, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { fromUtf8, toBase64, tryFromBase64 } from "#shared/util/bytes.ts";
import type { Handlers } from "../../handler-types.ts";

/** Most gas of a simulation: it is free. docs/limits.md lists it. */
export const SIMULATION_GAS = 10_000_000;

interface CallRequest {
  readonly contractID: string;
  readonly method: string;
  readonly args_json?: string;
  readonly from?: string;
  readonly amount_ut?: number;
  readonly gas_limit?: number;
}

type DeploymentRequest = Input<"estimateDeployment">["body"];

/** Caller of a view that names none: the key of zeros, which has no owner. */
const ANONYMOUS = "00".repeat(32);

export function createContractCallHandlers({
  contracts,
  calls,
}: Pick<ReadQueries, "contracts" | "calls">): Pick<Handlers, "callView" | "estimateCall" | "estimateDeployment"> {
  const simulate = async (request: CallRequest, isReadOnly: boolean): Promise<readonly [ContractId, Simulation]> => {
    const id = isContractId(request.contractID) ? request.contractID.toLowerCase() : undefined;
    if (id === undefined || (await contracts.contract(id)) === undefined)
      throw new CodedError("NOT_FOUND", "There is no contract with this id");
    return [id, await calls.simulate(callOf(id, request, isReadOnly))];
  };
  return {
    callView: async ({ contractID, body }): Promise<Output<"callView">> => {
      const [id, simulation] = await simulate({ contractID, ...body }, true);
      return { contract_id: id, ...outcomeOf(simulation) };
    },
    estimateCall: async ({ contractID, body }): Promise<Output<"estimateCall">> => {
      const [id, simulation] = await simulate({ contractID, ...body }, false);
      const gasLimit = advisedGas(simulation.gasUsed);
      return { contract_id: id, ...outcomeOf(simulation), gas_limit: gasLimit, gas_price_ut: gasPriceUt(simulation.gasUsed) };
    },
    estimateDeployment: async ({ body }): Promise<Output<"estimateDeployment">> => {
      const { storeGas, functions, gasUsed, code, reason, logs } = await calls.simulateDeployment(deploymentOf(body));
      return {
        status: code === "" ? "ok" : "failed",
        code,
        reason,
        gas_used: gasUsed,
        logs: [...logs],
        functions: [...functions],
        // What storing takes is known exactly.
        gas_limit: Math.min(storeGas + Math.ceil((gasUsed - storeGas) * 1.25), MAX_GAS_LIMIT),
        gas_price_ut: gasPriceUt(gasUsed),
      };
    },
  };
}

/** An ABI without methods: for looking at a module. */
const NO_ABI = '{"contract":"module","version":"","methods":[]}';

function deploymentOf({ from, wasm_b64, abi_json = NO_ABI, init_args_json = "" }: DeploymentRequest): SimulatedDeployment {
  const deployer = callerOf(from);
  const code = tryFromBase64(wasm_b64);
  if (code === undefined || code.length > MAX_WASM_BYTES)
    throw new CodedError("BAD_REQUEST", `wasm_b64 is base64 of a module of at most ${MAX_WASM_BYTES} bytes`);
  const abi = parseContractAbi(abi_json);
  if (abi === undefined) throw new CodedError("BAD_REQUEST", "abi_json is not the JSON of an ABI: contract, version and methods");
  if (parseArguments(init_args_json) === undefined)
    throw new CodedError("BAD_REQUEST", "init_args_json is the text of a JSON list without fractions");
  return { deployer, code, abi, abiJson: abi_json, initArgsJson: init_args_json, initGas: SIMULATION_GAS };
}

/** A quarter more than was used: the state may be another one when the block comes. */
function advisedGas(gasUsed: number): number {
  return Math.min(Math.ceil(gasUsed * 1.25), MAX_GAS_LIMIT);
}

function callOf(
  contractId: ContractId,
  { method, args_json, from, amount_ut, gas_limit }: CallRequest,
  isReadOnly: boolean,
): SimulatedCall {
  const argsJson = args_json ?? "";
  if (parseArguments(argsJson) === undefined) throw new CodedError("BAD_REQUEST", "args_json is the text of a JSON list without fractions");
  return {
    contractId,
    method,
    argsJson,
    caller: from === undefined ? ANONYMOUS : callerOf(from),
    amountUt: amount_ut ?? 0,
    gasLimit: Math.min(gas_limit ?? SIMULATION_GAS, SIMULATION_GAS),
    isReadOnly,
  };
}

function callerOf(from: string): string {
  try {
    return parseAccount(from);
  } catch (cause) {
    throw new CodedError("BAD_REQUEST", `from: ${(cause as Error).message}`, { cause });
  }
}

function outcomeOf({ code, reason, gasUsed, logs, result, places }: Simulation): Omit<Output<"callView">, "contract_id"> {
  return {
    status: code === "" ? "ok" : "failed",
    code,
    reason,
    gas_used: gasUsed,
    ...(places.length === 0 ? {} : { places: places.map(placeOf) }),
    logs: [...logs],
    result_b64: toBase64(result),
    result_text: textOf(result),
  };
}

function placeOf({ functionIndex, offset }: SimulationPlace): NonNullable<Output<"callView">["places"]>[number] {
  return { function_index: functionIndex, ...(offset === undefined ? {} : { offset }) };
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return fromUtf8(bytes);
  } catch {
    return null;
  }
}
