// parley contract repl: methods of a deployed contract, line by line.
import type { Command } from "commander";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type ClientOptions, connect, publicKeys, unlockSigningKey, withClientOptions } from "../../session/client-session.ts";
import { argumentsJson, methodOf, signatureOf } from "../../session/contracts/abi-arguments.ts";
import { type NamesOptions, withNamesOption } from "../../session/contracts/names-option.ts";
import { withExamples } from "../../session/examples.ts";
import { explainError } from "../../session/explain-error.ts";
import { onOneLine } from "../../session/printing/printable-line.ts";
import { describeStatus, signAndSubmit, waitForBlock } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { planCall } from "./contract-call.ts";
import { askView, CONTRACT_ARGUMENT, findContract, type NamedContract } from "./named-contract.ts";

interface ReplOptions extends ClientOptions, NamesOptions {
  readonly key?: string;
  readonly passwordFile?: string;
}

/** Runs what a person typed; gives the lines to print. */
type Evaluate = (method: string, texts: readonly string[]) => Promise<readonly string[]>;

const HELP = 'A line is a method and its arguments, like: add 5, or: say "two words". methods lists them, exit ends.';

export function addReplCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command("repl")
    .description("call methods of a contract line by line: views are asked, others are tried and then called")
    .argument("<contract>", CONTRACT_ARGUMENT)
    .option("--key <file>", "key file that signs calls; without it only views can be asked")
    .option("--password-file <file>", "file whose first line is the key file's password (else PARLEY_KEY_PASSWORD, else prompt)");
  withExamples(withNamesOption(withClientOptions(command)), "contract repl counter --key alice.json").action(
    async (name: string, options: ReplOptions) => {
      const { terminal } = context;
      if (terminal.readLines === undefined)
        throw new CodedError("CONFIG_INVALID", "contract repl needs a terminal or lines on standard input");
      const client = await connect(context, options);
      const contract = await findContract({ context, client }, name, options);
      const evaluate = await createEvaluator(context, contract, options);
      terminal.err(HELP);
      for await (const line of terminal.readLines(`${name}> `)) {
        const [method = "", ...texts] = wordsOf(line);
        if (method === "exit") return;
        for (const text of await outcomeOf(contract, evaluate, { method, texts })) terminal.out(text);
      }
    },
  );
}

/** What a line comes to; a failure is said, and the next line follows. */
async function outcomeOf(
  { abi }: NamedContract,
  evaluate: Evaluate,
  { method, texts }: { readonly method: string; readonly texts: readonly string[] },
): Promise<readonly string[]> {
  if (method === "") return [];
  if (method === "help") return [HELP];
  if (method === "methods") return abi.methods.map(signatureOf);
  try {
    return await evaluate(method, texts);
  } catch (error) {
    return [onOneLine(explainError(error))];
  }
}

async function createEvaluator(context: CommandContext, contract: NamedContract, options: ReplOptions): Promise<Evaluate> {
  const client = await connect(context, options);
  const { key, passwordFile } = options;
  const keyOptions = key === undefined ? undefined : { key, ...(passwordFile === undefined ? {} : { passwordFile }) };
  const signer = keyOptions === undefined ? undefined : publicKeys(keyOptions);
  const signing = keyOptions === undefined ? undefined : await unlockSigningKey(context, keyOptions);
  const { chain_id: chainId } = await client.getNetworkInfo({});
  return async (name, texts) => {
    const method = methodOf(contract.abi, name);
    if (method.view === true) {
      const argsJson = await argumentsJson({ context, client, abi: contract.abi }, method, texts);
      const outcome = await askView(client, contract, { method: name, argsJson, from: signer?.publicKey });
      return [onOneLine(outcome.result_text ?? outcome.result_b64)];
    }
    if (signer === undefined || signing === undefined)
      throw new CodedError("CONFIG_INVALID", `${name} is called by a transaction: start with --key to sign it`);
    const { draft, result } = await planCall({ context, client, signer }, { name: contract.name, method: name, texts }, options);
    const { id } = await signAndSubmit(context, { client, chainId, signing }, draft);
    const submitted = await waitForBlock(context, client, id);
    const details = await result?.(submitted);
    return [`${describeStatus(submitted)}  ${submitted.id}`, ...(details?.lines ?? [])];
  };
}

/** Words of a line; quotes keep blanks together. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) => quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "");
}
