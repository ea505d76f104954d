// What callers may let a node compute for nothing: calls without a transaction, trials of calls, and submissions that their trial refuses.
// Counted in gas by address, those of this machine too; programs of the node's owner are not counted.
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { Handlers, RequestContext } from "../handler-types.ts";
import { JsonText } from "../json-text.ts";
import type { ApiLimits } from "../limits.ts";
import { RateLimiter } from "./rate-limiter.ts";

/** Gas of a token of the budget: 1 ms of a processor at the worst price of gas. */
const TOKEN_GAS = 500_000;

/** Who is counted. */
export type TrialCaller = Pick<RequestContext, "address" | "isOwn">;

/** Gas that each address may have used for nothing. */
export class TrialBudget {
  readonly #rates: RateLimiter;

  constructor({ freeGasPerSecond, freeGasBurst, rateEntries }: ApiLimits, clock: Clock) {
    const limits = { requestsPerSecond: freeGasPerSecond / TOKEN_GAS, requestBurst: freeGasBurst / TOKEN_GAS, rateEntries };
    this.#rates = new RateLimiter(limits, clock);
  }

  /** @throws CodedError RATE_LIMITED when the caller has used up its gas. */
  admit({ address, isOwn }: TrialCaller): void {
    if (!isOwn && this.#rates.take(address) > 0)
      throw new CodedError(
        "RATE_LIMITED",
        "Calls without a transaction have used too much gas for this address: wait a moment and try again",
      );
  }

  charge({ address, isOwn }: TrialCaller, gas: number): void {
    if (!isOwn) this.#rates.charge(address, Math.ceil(gas / TOKEN_GAS));
  }
}

type CallOutput = Output<"callView"> | Output<"estimateCall"> | JsonText;

/** The handlers, with what is computed for nothing counted. `trialGas` is what the trial of a submission may use. */
export function withTrialBudget(handlers: Handlers, budget: TrialBudget, trialGas: number): Handlers {
  const counted = async <T extends CallOutput>(caller: TrialCaller, work: () => T | Promise<T>): Promise<T> => {
    budget.admit(caller);
    const output = await work();
    budget.charge(caller, gasOf(output));
    return output;
  };
  return {
    ...handlers,
    callView: (input, context) => counted(context, async () => handlers.callView(input, context)),
    estimateCall: (input, context) => counted(context, async () => handlers.estimateCall(input, context)),
    submitTransaction: async (input, context): Promise<Output<"submitTransaction"> | JsonText> => {
      const { type } = input.body as { readonly type?: unknown };
      if (type !== "CALL_CONTRACT" && type !== "DEPLOY_CONTRACT") return handlers.submitTransaction(input, context);
      budget.admit(context);
      try {
        return await handlers.submitTransaction(input, context);
      } catch (error) {
        budget.charge(context, trialGas);
        throw error;
      }
    },
  };
}

function gasOf(output: CallOutput): number {
  return output instanceof JsonText ? (JSON.parse(output.text) as Output<"callView">).gas_used : output.gas_used;
}
