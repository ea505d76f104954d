// parley contract build: compiles a contract, or takes its module, and says what the network makes of it.
import type { Command } from "commander";
import type { BuiltContract, ContractFigures } from "#node/contracts/check-module.ts";
import { CONTRACT_FILES, LANGUAGE_SOURCES, openContract } from "#node/contracts/contract-project.ts";
import { NEAR_PAGES } from "#node/vm/module/module-limits.ts";
import { gasPriceUt } from "#shared/protocol/transactions/contracts.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { pagesValue } from "../../session/option-values.ts";
import type { CommandContext } from "../../session/terminal.ts";

/** What the argument of build and test names. */
export const CONTRACT_PATH = "folder of the contract, or its module, a .wasm file; the current folder unless said";

/** How commands that build a contract are told to. */
export interface BuildingOptions {
  readonly memory?: number;
}

interface BuildCommandOptions extends BuildingOptions {
  readonly json?: boolean;
}

export function addBuildCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command("build")
    .description(
      `build ${Object.values(LANGUAGE_SOURCES).join(", ")} or take a module, check it by the rules of the network, print its prices`,
    )
    .argument("[path]", CONTRACT_PATH, ".")
    .option("--json", "print JSON");
  withExamples(withBuildingOptions(command), "contract build", "contract build my-token --json", "contract build out/vault.wasm").action(
    async (path: string, options: BuildCommandOptions) => {
      const built = await buildInto(context, path, options);
      const file = openContract(path).module;
      const figures = await priceOf(built, path, options.memory);
      report(context, options, fieldsOf(file, figures), linesOf(file, figures));
    },
  );
}

/** Adds what every command that builds a contract takes, so that they all build the same. */
export function withBuildingOptions(command: Command): Command {
  return command.option(
    "--memory <pages>",
    `pages of 64 KiB its memory can grow to; above ${NEAR_PAGES}, loads cost more gas (default: memory of ${CONTRACT_FILES.manifest}, else ${NEAR_PAGES})`,
    pagesValue,
  );
}

/** Builds a contract, writes its files and prints what its compiler says. */
export async function buildInto({ terminal }: CommandContext, path: string, { memory }: BuildingOptions): Promise<BuiltContract> {
  // Compilers and the machine that checks modules: help does without them.
  const { buildContract, saveContract } = await import("#node/contracts/build-contract.ts");
  const built = await buildContract(path, (line) => terminal.err(line), memory === undefined ? {} : { memoryPages: memory });
  saveContract(path, built);
  return built;
}

/** Figures of a contract, with the prices of what contract deploy sends. */
interface BuildFigures extends ContractFigures {
  /** Of the deployment with its source; undefined where there is none to publish. */
  readonly publishedGas: number | undefined;
}

/** contract deploy says in the module how it was built, which costs as well. */
async function priceOf(built: BuiltContract, path: string, memoryPages: number | undefined): Promise<BuildFigures> {
  const [{ figuresOf }, { withBuildSections }] = await Promise.all([
    import("#node/contracts/check-module.ts"),
    import("#node/contracts/verification/build-sections.ts"),
  ]);
  const { wasmBytes, customBytes } = figuresOf(built);
  const deployed = await withBuildSections(built.code, path, { isPublished: false, memoryPages });
  const published = deployed === built.code ? undefined : await withBuildSections(built.code, path, { isPublished: true, memoryPages });
  return {
    ...figuresOf({ ...built, code: deployed }),
    ...{ wasmBytes, customBytes },
    publishedGas: published === undefined ? undefined : figuresOf({ ...built, code: published }).deploymentGas,
  };
}

function fieldsOf(file: string, figures: BuildFigures): Readonly<Record<string, unknown>> {
  return {
    file,
    wasm_size: figures.wasmBytes,
    custom_bytes: figures.customBytes,
    exports: figures.exports,
    imports: figures.imports,
    deployment_gas: figures.deploymentGas,
    deployment_ut: figures.deploymentUt,
    ...(figures.publishedGas === undefined ? {} : { published_deployment_gas: figures.publishedGas }),
    loading_gas: figures.loadingGas,
    loading_gas_least: figures.loadingRange.least,
    loading_gas_most: figures.loadingRange.most,
  };
}

function linesOf(file: string, figures: BuildFigures): readonly string[] {
  const { wasmBytes, customBytes, exports, imports, deploymentGas, deploymentUt, publishedGas, loadingRange } = figures;
  const { least, most } = loadingRange;
  const lines = [
    `${file}  ${wasmBytes} bytes`,
    `exports     ${exports.join(", ")}`,
    `imports     ${imports.join(", ") || "nothing"}`,
    `deployment  ${deploymentGas} gas, ${deploymentUt} µT`,
    ...(publishedGas === undefined ? [] : [`            ${publishedGas} gas, ${gasPriceUt(publishedGas)} µT with --publish-source`]),
    `loading     ${least} to ${most} gas, at most ${gasPriceUt(most)} µT, in every call before its first instruction`,
    "            (more for the height of the deployment, which its record holds)",
  ];
  if (customBytes === 0) return lines;
  return [...lines, `${customBytes} bytes are custom sections, which cost gas and do nothing: link with --strip-all, or use wasm-strip`];
}
