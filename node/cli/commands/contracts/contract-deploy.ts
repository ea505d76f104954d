// parley contract deploy: builds a contract, puts it on the chain and gives it a name.
import type { Command } from "commander";
import type { NodeClient } from "#shared/api/client.ts";
import { deployedContractId, INIT_METHOD } from "#shared/protocol/transactions/contracts.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { argumentsJson, methodOf } from "../../session/contracts/abi-arguments.ts";
import { type NamesOptions, withNamesOption } from "../../session/contracts/names-option.ts";
import { withExamples } from "../../session/examples.ts";
import { checkName, namesFile, rememberContract } from "../../session/names/contract-names.ts";
import { gasValue } from "../../session/option-values.ts";
import { type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { type BuildingOptions, buildInto, CONTRACT_PATH, withBuildingOptions } from "./contract-build.ts";

interface DeployOptions extends SubmitOptions, NamesOptions, BuildingOptions {
  readonly name?: string;
  readonly init?: readonly string[];
  readonly gas?: number;
  readonly publishSource?: boolean;
}

export function addDeployCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command("deploy")
    .description("build a contract, deploy it, wait until it is in a block, and give its ID a name")
    .argument("[path]", CONTRACT_PATH, ".")
    .option("--name <name>", "name for its ID (default: the name in its ABI)")
    .option("--init <argument...>", `arguments of ${INIT_METHOD}, in its order`)
    .option("--publish-source", "put the source into the module, for contract verify --published and the explorer")
    .option("--gas <limit>", "gas limit (default: enough to store and initialise the module)", gasValue);
  withExamples(
    withNamesOption(withSubmitOptions(withBuildingOptions(command))),
    "contract deploy my-counter --key alice.json",
    "contract deploy my-token --key alice.json --name gold --init Gold GLD 6 1000000",
  ).action((path: string, options: DeployOptions) => deploy(context, path, options));
}

async function deploy(context: CommandContext, path: string, options: DeployOptions): Promise<void> {
  const [{ deploymentLimit }, { withBuildSections }] = await Promise.all([
    import("#node/contracts/check-module.ts"),
    import("#node/contracts/verification/build-sections.ts"),
  ]);
  const { code: module, abi, abiJson } = await buildInto(context, path, options);
  const code = await withBuildSections(module, path, {
    isPublished: options.publishSource === true,
    memoryPages: options.memory,
  });
  const name = options.name ?? abi.contract;
  checkName(name);
  const hasInit = abi.methods.some((method) => method.name === INIT_METHOD);
  if (!hasInit && options.init !== undefined) methodOf(abi, INIT_METHOD);
  const gas = options.gas ?? deploymentLimit({ code, abiJson }, hasInit);
  const payload = { wasm_b64: toBase64(code), abi_json: abiJson, gas_limit: gas };
  const initOf = async (client: NodeClient): Promise<{ readonly init_args_json?: string }> =>
    hasInit ? { init_args_json: await argumentsJson({ context, client, abi }, methodOf(abi, INIT_METHOD), options.init ?? []) } : {};
  await submitAndReport(context, { ...options, wait: true }, async ({ client, signer, chainId }) => ({
    draft: { type: "DEPLOY_CONTRACT", payload: { ...payload, ...(await initOf(client)) } },
    what: ({ id }) => `Contract ${name}, ${deployedContractId(signer.publicKey, id)}`,
    result: async ({ id }) => {
      const contractId = deployedContractId(signer.publicKey, id);
      const file = namesFile(options.names);
      const before = await rememberContract(name, contractId, { file, chainId });
      const lines = [`${name} is ${contractId} in ${file}`, ...(before === undefined ? [] : [`before, it was ${before}`])];
      return { fields: { contract_id: contractId, name, names_file: file }, lines };
    },
  }));
}
