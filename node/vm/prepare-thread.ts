// What a thread needs before it runs contracts as every other node does: one compiler, and stack for all that the meter gives out.
import { CodedError } from "#shared/errors/coded-error.ts";
import { isBaselineCompilerAlone, setBaselineCompiler } from "./baseline-compiler.ts";
import { isStackSufficient } from "./native-stack.ts";

let isPrepared = false;

/**
 * Prepares this thread, once.
 * @throws CodedError CONFIG_INVALID when its runtime or its stack is another: then it must run no contract, rather than run one otherwise.
 */
export function prepareThread(): void {
  if (isPrepared) return;
  setBaselineCompiler();
  if (!isBaselineCompilerAlone())
    throw new CodedError("CONFIG_INVALID", "This runtime does not compile contracts as other nodes do: use the Node that Parley brings");
  if (!isStackSufficient())
    throw new CodedError("CONFIG_INVALID", "The stack is too small to run contracts: start the node without --stack-size");
  isPrepared = true;
}
