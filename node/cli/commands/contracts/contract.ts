// parley contract: making contracts. new copies an example, build compiles and checks, test runs its tests without a chain.
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { type BuiltContract, buildContract, CONTRACT_FILES } from "#node/contracts/build-contract.ts";
import { createContract, exampleNames } from "#node/contracts/new-contract.ts";
import { deploymentGas } from "#node/ledger/contracts/call-contract.ts";
import { NEAR_PAGES } from "#node/vm/module/module-limits.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { gasPriceUt } from "#shared/protocol/transactions/contracts.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { pagesValue } from "../../session/option-values.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface JsonOption {
  readonly json?: boolean;
}

interface BuildCommandOptions extends JsonOption {
  readonly memory?: number;
}

const HOOKS = fileURLToPath(new URL("../../../contracts/testing/resolve-hooks.ts", import.meta.url));
const FOLDER = "folder of the contract; the current one unless said";

export function addContractCommands(program: Command, context: CommandContext): void {
  const contract = program.command("contract").description("create, build and test contracts");
  addNew(contract, context);
  addBuild(contract, context);
  addTest(contract, context);
}

function addNew(parent: Command, context: CommandContext): void {
  const command = parent
    .command("new")
    .description("create a contract with ABI and tests in a new folder, from an example")
    .argument("<folder>", "folder to create")
    .option("--example <name>", `example to start from: ${exampleNames().join(", ")}`, "counter")
    .option("--json", "print JSON");
  withExamples(command, "contract new my-counter", "contract new my-token --example token").action(
    (folder: string, options: JsonOption & { readonly example: string }) => {
      const files = createContract(folder, options.example);
      const lines = files.map((file) => join(folder, file));
      report(context, options, { folder, files }, [...lines, `Next: parley contract test ${folder}`]);
    },
  );
}

function addBuild(parent: Command, context: CommandContext): void {
  const command = parent
    .command("build")
    .description(`compile ${CONTRACT_FILES.source} to ${CONTRACT_FILES.module} and check both against the rules of the network`)
    .argument("[folder]", FOLDER, ".")
    .option(
      "--memory <pages>",
      `pages of 64 KiB its memory can grow to; above ${NEAR_PAGES}, loads cost more gas (default: ${NEAR_PAGES})`,
      pagesValue,
    )
    .option("--json", "print JSON");
  withExamples(command, "contract build", "contract build my-token --json").action(async (folder: string, options: BuildCommandOptions) => {
    const { code, abiJson } = await buildInto(context, folder, options.memory);
    const gas = deploymentGas(code.length, utf8(abiJson).length);
    const file = join(folder, CONTRACT_FILES.module);
    const fields = { file, wasm_size: code.length, deployment_gas: gas, deployment_ut: gasPriceUt(gas) };
    report(context, options, fields, [`${file}  ${code.length} bytes; its deployment costs ${gasPriceUt(gas)} µT of gas`]);
  });
}

function addTest(parent: Command, context: CommandContext): void {
  const command = parent
    .command("test")
    .description(`build a contract and run ${CONTRACT_FILES.test}, without a chain`)
    .argument("[folder]", FOLDER, ".")
    .option("--json", "print JSON");
  withExamples(command, "contract test", "contract test my-token").action(async (folder: string, options: JsonOption) => {
    const path = resolve(folder, CONTRACT_FILES.test);
    if (!existsSync(path)) throw new CodedError("CONFIG_INVALID", `${path} cannot be read: it should contain the tests of the contract`);
    await buildInto(context, folder);
    const { output, isPassed } = await runTests(path);
    report(context, options, { passed: isPassed, output }, output.trim().split("\n"));
    if (!isPassed) throw new CodedError("CONTRACT_TESTS_FAILED", "The tests of the contract failed");
  });
}

async function buildInto({ terminal }: CommandContext, folder: string, memoryPages?: number): Promise<BuiltContract> {
  const options = memoryPages === undefined ? {} : { memoryPages };
  const built = await buildContract(folder, (line) => terminal.err(line), options);
  try {
    writeFileSync(join(folder, CONTRACT_FILES.module), built.code);
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `${folder} cannot be written: check its permissions`, { cause });
  }
  return built;
}

/** Node's own test runner, in a process of its own. */
function runTests(path: string): Promise<{ readonly output: string; readonly isPassed: boolean }> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ["--import", HOOKS, "--test", "--test-reporter=spec", path], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => void chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => void chunks.push(chunk));
    child.on("error", fail);
    child.on("close", (code) => done({ output: Buffer.concat(chunks).toString("utf8"), isPassed: code === 0 }));
  });
}
