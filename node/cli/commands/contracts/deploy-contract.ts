// parley deploy-contract: put a WebAssembly contract on the chain.
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { parseArguments } from "#node/ledger/contracts/contract-value.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { MAX_ABI_BYTES, MAX_WASM_BYTES } from "#shared/protocol/primitives/limits.ts";
import { type ContractAbi, deployedContractId, INIT_METHOD, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { fromUtf8, toBase64 } from "#shared/util/bytes.ts";
import { withExamples } from "../../session/examples.ts";
import { gasValue } from "../../session/option-values.ts";
import { type Draft, type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface DeployOptions extends SubmitOptions {
  readonly wasm: string;
  readonly abi: string;
  readonly initArgs?: string;
  readonly gas?: number;
}

export function addDeployContractCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("deploy-contract")
    .description("deploy a WebAssembly contract and print its ID")
    .requiredOption("--wasm <file>", `module of at most ${MAX_WASM_BYTES} bytes`)
    .requiredOption("--abi <file>", "its ABI: JSON with contract, version and methods")
    .option("--init-args <json>", "JSON list of arguments for initialising the contract")
    .option("--gas <limit>", "gas limit (default: enough to store and initialise the module)", gasValue);
  withExamples(
    withSubmitOptions(command),
    "deploy-contract --key alice.json --wasm counter.wasm --abi counter.abi.json --wait",
    "deploy-contract --key alice.json --wasm vote.wasm --abi vote.abi.json --init-args '[\"lunch\"]' --gas 60000000",
  ).action((options: DeployOptions) => deployContract(context, options));
}

async function deployContract(context: CommandContext, options: DeployOptions): Promise<void> {
  const draft = await draftOfDeployment(options);
  await submitAndReport(context, options, ({ signer }) => ({
    draft,
    what: ({ id }) => `Contract ${deployedContractId(signer.publicKey, id)}`,
    result: ({ id }) => ({ fields: { contract_id: deployedContractId(signer.publicKey, id) } }),
  }));
}

async function draftOfDeployment({ wasm, abi, initArgs, gas }: DeployOptions): Promise<Draft> {
  const { checkIsModule, deploymentLimit } = await import("#node/contracts/check-module.ts");
  const code = readInput(wasm);
  checkIsModule(wasm, code);
  const abiJson = readAbi(abi);
  await checkContract({ code, abi: parseContractAbi(abiJson), wasm, initArgs });
  const hasInit = initArgs !== undefined || hasMethod(parseContractAbi(abiJson), INIT_METHOD);
  const payload = { wasm_b64: toBase64(code), abi_json: abiJson, gas_limit: gas ?? deploymentLimit({ code, abiJson }, hasInit) };
  return { type: "DEPLOY_CONTRACT", payload: initArgs === undefined ? payload : { ...payload, init_args_json: initArgs } };
}

interface Contract {
  readonly code: Uint8Array;
  readonly abi: ContractAbi | undefined;
  /** Name of the module's file. */
  readonly wasm: string;
  readonly initArgs: string | undefined;
}

/** Says before anything is paid what the network would refuse. */
async function checkContract({ code, abi, wasm, initArgs }: Contract): Promise<void> {
  const [{ checkBuilt }, { faultSource }] = await Promise.all([
    import("#node/contracts/check-module.ts"),
    import("#node/contracts/lines/fault-source.ts"),
  ]);
  if (abi !== undefined) checkBuilt(wasm, { code, abi }, faultSource(code));
  if (initArgs === undefined) return;
  const values = parseArguments(initArgs);
  if (values === undefined) throw new CodedError("CONFIG_INVALID", '--init-args is a JSON list without fractions, like ["text",1,true]');
  if (values.length > 0 && !hasMethod(abi, INIT_METHOD))
    throw new CodedError("CONFIG_INVALID", "--init-args is for a contract whose ABI lists a method init, and this one does not");
}

function hasMethod(abi: ContractAbi | undefined, method: string): boolean {
  return abi?.methods.some(({ name }) => name === method) ?? false;
}

function readAbi(path: string): string {
  const text = decodeText(readInput(path));
  if (text === undefined || parseContractAbi(text) === undefined)
    throw new CodedError(
      "CONFIG_INVALID",
      `${path} is not an ABI: JSON of at most ${MAX_ABI_BYTES} bytes with contract, version and methods, each with name and args`,
    );
  return text;
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return fromUtf8(bytes);
  } catch {
    return undefined;
  }
}

function readInput(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `${path} cannot be read: check that it is there and its permissions`, { cause });
  }
}
