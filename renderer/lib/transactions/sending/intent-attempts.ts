// Signing an intent once, however often it is submitted. While the fate of what was signed is unknown, trying again sends the same signed
// transaction, which the chain takes at most once; only a clear refusal makes the next try a new one. A refusal after an unclear try is not
// clear: that try may have arrived, or is sent again elsewhere, as by the chat that holds its receipt.
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Intent, SignedIntent } from "#shared/keyring/intents/intents.ts";
import { type SubmitPaths, submitTransaction } from "./submit-transaction.ts";

/** What an attempt does. */
export interface AttemptSteps {
  readonly sign: (intent: Intent) => Promise<SignedIntent>;
  readonly paths: SubmitPaths;
  /** The node has taken it, or its fate is unknown. */
  readonly onSubmitted: (signed: SignedIntent, isUncertain: boolean) => void;
}

/** The attempts of one view. */
export interface Attempts {
  /** Signs and submits; the same intent a second time while the first is under way is the first. */
  readonly run: (intent: Intent, steps: AttemptSteps) => Promise<SignedIntent>;
}

const uncertain = new WeakMap<object, SignedIntent>();

export function createAttempts(): Attempts {
  let open: { readonly key: string; readonly signed: SignedIntent; readonly isUnclear: boolean } | undefined;
  const running = new Map<string, Promise<SignedIntent>>();
  const attempt = async (key: string, intent: Intent, { sign, paths, onSubmitted }: AttemptSteps): Promise<SignedIntent> => {
    const known = open?.key === key ? open : undefined;
    const signed = known?.signed ?? (await sign(intent));
    open = { key, signed, isUnclear: known?.isUnclear ?? false };
    try {
      await submitTransaction(paths, signed.transaction);
    } catch (error) {
      if (isRefusal(error) && known?.isUnclear !== true) {
        open = undefined;
        throw error;
      }
      open = { key, signed, isUnclear: true };
      if (typeof error === "object" && error !== null) uncertain.set(error, signed);
      onSubmitted(signed, true);
      throw error;
    }
    open = undefined;
    onSubmitted(signed, false);
    return signed;
  };
  return {
    run: (intent, steps): Promise<SignedIntent> => {
      const key = keyOf(intent);
      const known = running.get(key);
      if (known !== undefined) return known;
      const outcome = attempt(key, intent, steps).finally(() => running.delete(key));
      running.set(key, outcome);
      return outcome;
    },
  };
}

/** True where something was signed and may have reached the node: trying again is safe, beginning again is not. */
export function isUncertain(error: unknown): boolean {
  return uncertainOf(error) !== undefined;
}

/** What was signed, where {@link isUncertain}. */
export function uncertainOf(error: unknown): SignedIntent | undefined {
  return typeof error === "object" && error !== null ? uncertain.get(error) : undefined;
}

/** True when the node has refused: then nothing of it is on its way. Being asked to slow down is no response to an earlier try. */
function isRefusal(error: unknown): boolean {
  return isCodedError(error) && error.status >= 400 && error.status < 500 && error.code !== "RATE_LIMITED";
}

/** What is the same intent: the gas limit is advised by a trial, which is repeated as the state changes. */
function keyOf(intent: Intent): string {
  return JSON.stringify({ ...intent, gasLimit: undefined });
}
