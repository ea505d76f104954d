// What callers may let a node compute for nothing: calls without a transaction, trials of calls, and submissions that are refused.
// Counted in gas by address and subnet, those of this machine too; programs of the node's owner are not counted.
import { deploymentGas } from "#node/ledger/contracts/call-contract.ts";
import { ruleOf } from "#node/ledger/transactions/rules.ts";
import { MEMPOOL_LIMITS } from "#node/mempool/mempool-limits.ts";
import type { Awaitable } from "#node/queries/awaitable.ts";
import type { Output } from "#shared/api/api.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { MAX_RELAY_CLAIMS, MAX_VALIDATORS } from "#shared/protocol/primitives/limits.ts";
import { isTransactionType } from "#shared/protocol/transactions/transaction-encoding.ts";
import { base64Length } from "#shared/util/bytes.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { Handlers, RequestContext } from "../handler-types.ts";
import { JsonText } from "../json/json-text.ts";
import type { ApiLimits } from "../limits.ts";
import { subnetOfGroup } from "./client-address.ts";
import { RateLimiter } from "./rate-limiter.ts";

/** Gas of a token of the budget: 1 ms of a processor at the worst price of gas. */
const TOKEN_GAS = 500_000;

/** Gas that stands for one signature, 80 µs … */
const SIGNATURE_GAS = 40_000;
/** … and for one character of a payload in base64, 100 ns: JSON and headers of evidence are read before anything is paid. */
const PAYLOAD_CHARACTER_GAS = 50;
/** Least characters of a payload that hold a signature: base64 of 88 characters of base64. */
const CHARACTERS_OF_SIGNATURE = 117;
/** Most signatures of one payload. */
const MAX_SIGNATURES = Math.max(MAX_RELAY_CLAIMS, MAX_VALIDATORS);

/** Errors before anything was computed. */
const COST_NOTHING: ReadonlySet<string> = new Set(["NOT_FOUND", "BAD_REQUEST"]);

/** Who is counted. */
export type TrialCaller = Pick<RequestContext, "address" | "isOwn">;

/** Addresses of a subnet that may use all of theirs at a time: one party can have as many as it likes. */
export const BUDGETS_OF_SUBNET = 4;

/** Gas that each address, and each subnet, may have used for nothing. */
export class TrialBudget {
  readonly #addresses: RateLimiter;
  readonly #subnets: RateLimiter;
  readonly #searchGas: number;

  /** @param searchGas what a call or trial may use beside its own gas */
  constructor({ freeGasPerSecond, freeGasBurst, rateEntries }: ApiLimits, clock: Clock, searchGas = 0) {
    this.#searchGas = searchGas;
    const budget = { requestsPerSecond: freeGasPerSecond / TOKEN_GAS, requestBurst: freeGasBurst / TOKEN_GAS, rateEntries };
    this.#addresses = new RateLimiter(budget, clock);
    const requestsPerSecond = BUDGETS_OF_SUBNET * budget.requestsPerSecond;
    this.#subnets = new RateLimiter({ requestsPerSecond, requestBurst: BUDGETS_OF_SUBNET * budget.requestBurst, rateEntries }, clock);
  }

  /**
   * Does work that uses so much gas at most. All of it counts from the start, since many requests may be under way at once; what was not
   * used is given back. @throws CodedError RATE_LIMITED when the caller or its subnet has used up its gas.
   */
  spend<T>(caller: TrialCaller, mostGas: number, work: CountedWork<T>): Promise<T> {
    return this.#count(caller, mostGas + this.#searchGas, work);
  }

  /** Submits a transaction, whichever way it came: what checks and trial of a refused one used is paid by no one. */
  submit<T>(caller: TrialCaller, tx: unknown, work: () => Awaitable<T>): Awaitable<T> {
    const mostGas = submissionGas(tx, this.#searchGas);
    return mostGas === 0 ? work() : this.#count(caller, mostGas, { work, gasOf: () => 0 });
  }

  async #count<T>({ address, isOwn }: TrialCaller, mostGas: number, { work, gasOf }: CountedWork<T>): Promise<T> {
    if (isOwn) return work();
    const subnet = subnetOfGroup(address);
    if (this.#addresses.take(address) > 0 || this.#subnets.take(subnet) > 0)
      throw new CodedError(
        "RATE_LIMITED",
        "Calls without a transaction have used too much gas for this address: wait a moment and try again",
      );
    const most = Math.ceil(mostGas / TOKEN_GAS);
    const charge = (tokens: number): void => {
      this.#addresses.charge(address, tokens);
      this.#subnets.charge(subnet, tokens);
    };
    charge(most);
    const giveBack = (usedGas: number): void => charge(Math.ceil(usedGas / TOKEN_GAS) - most);
    try {
      const output = await work();
      giveBack(gasOf(output));
      return output;
    } catch (error) {
      if (isCodedError(error) && COST_NOTHING.has(error.code)) giveBack(0);
      throw error;
    }
  }
}

/** What checks and trial of a transaction cost at most, in gas; 0 for one that costs no more than every request may. */
function submissionGas(tx: unknown, searchGas: number): number {
  if (typeof tx !== "object" || tx === null || !("type" in tx) || !isTransactionType(tx.type)) return 0;
  const rule = ruleOf(tx.type);
  const characters = "payload" in tx && typeof tx.payload === "string" ? tx.payload.length : 0;
  const signatures = rule.signatures === undefined ? 0 : Math.min(MAX_SIGNATURES, Math.floor(characters / CHARACTERS_OF_SIGNATURE));
  const trialGas = rule.gasLimit === undefined ? 0 : MEMPOOL_LIMITS.trialGas + searchGas;
  if (signatures === 0 && trialGas === 0) return 0;
  return trialGas + signatures * SIGNATURE_GAS + characters * PAYLOAD_CHARACTER_GAS;
}

interface CountedWork<T> {
  work(): Awaitable<T>;
  /** Gas of what no one pays. */
  gasOf(output: T): number;
}

type CallOutput = Output<"callView"> | Output<"estimateCall"> | Output<"estimateDeployment"> | JsonText;

/** The handlers, with calls without a transaction counted. `mostGas` is what one may use. */
export function withTrialBudget(handlers: Handlers, budget: TrialBudget, mostGas: number): Handlers {
  const counted = <T extends CallOutput>(caller: TrialCaller, gasLimit: number | undefined, work: () => Awaitable<T>): Promise<T> =>
    budget.spend<T>(caller, Math.min(gasLimit ?? mostGas, mostGas), { work, gasOf: usedGas });
  return {
    ...handlers,
    callView: (input, context) => counted(context, input.body.gas_limit, () => handlers.callView(input, context)),
    estimateCall: (input, context) => counted(context, input.body.gas_limit, () => handlers.estimateCall(input, context)),
    estimateDeployment: (input, context): Promise<Output<"estimateDeployment"> | JsonText> => {
      const { wasm_b64: wasm, abi_json: abi = "" } = input.body;
      const work = (): Awaitable<Output<"estimateDeployment"> | JsonText> => handlers.estimateDeployment(input, context);
      return budget.spend<Awaited<ReturnType<typeof work>>>(context, deploymentGas(base64Length(wasm), abi.length) + mostGas, {
        work,
        gasOf: usedGas,
      });
    },
  };
}

function usedGas(output: CallOutput): number {
  return output instanceof JsonText ? (JSON.parse(output.text) as Output<"callView">).gas_used + output.gasBeside : output.gas_used;
}
