// parley contract test: builds a contract, runs its tests under Node's own test runner, without a chain, and says what its calls cost.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { CONTRACT_FILES, openContract } from "#node/contracts/contract-project.ts";
import { BUDGET_FILE, budgetOf, overrunsOf, readBudget, writeBudget } from "#node/contracts/testing/gas-budget.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { type BuildingOptions, buildInto, CONTRACT_PATH, withBuildingOptions } from "./contract-build.ts";

interface TestOptions extends BuildingOptions {
  readonly profile?: boolean;
  readonly updateBudget?: boolean;
  readonly json?: boolean;
}

export function addTestCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command("test")
    .description(`build a contract, or take its module, run ${CONTRACT_FILES.test} without a chain, and print what its methods cost`)
    .argument("[path]", CONTRACT_PATH, ".")
    .option("--profile", "count gas by functions and calls of the host, too")
    .option("--update-budget", `write what the methods cost to ${BUDGET_FILE}: from then on a method that costs more fails the tests`)
    .option("--json", "print JSON");
  withExamples(
    withBuildingOptions(command),
    "contract test",
    "contract test my-token --profile",
    "contract test out/vault.wasm --update-budget",
  ).action((path: string, options: TestOptions) => testContract(context, path, options));
}

async function testContract(context: CommandContext, path: string, options: TestOptions): Promise<void> {
  const [{ figuresOf }, { mergeRecords }, { describeOverrun, functionTable, methodTable }, { runContractTests }] = await Promise.all([
    import("#node/contracts/check-module.ts"),
    import("#node/contracts/testing/gas-record.ts"),
    import("#node/contracts/testing/gas-tables.ts"),
    import("#node/contracts/testing/run-tests.ts"),
  ]);
  const tests = resolve(openContract(path).test);
  if (!existsSync(tests)) throw new CodedError("CONFIG_INVALID", `${tests} cannot be read: it should contain the tests of the contract`);
  const budgetFile = join(dirname(tests), BUDGET_FILE);
  const budget = readBudget(budgetFile);
  const built = await buildInto(context, path, options);
  const { output, isPassed, records } = await runContractTests(tests, options.profile === true);
  const codeHash = createHash("sha256").update(built.code).digest("hex");
  const { methods, functions } = mergeRecords(records.filter((record) => record.codeHash === codeHash));
  const { deploymentGas: deployment, loadingGas: loading } = figuresOf(built);
  const actual = budgetOf({ deployment, loading }, methods);
  const isUpdated = isPassed && options.updateBudget === true;
  if (isUpdated) writeBudget(budgetFile, budgetOf({ deployment, loading }, methods, budget));
  const overruns = isUpdated || budget === undefined ? [] : overrunsOf(budget, actual);
  const total = Object.values(methods).reduce((sum, gas) => sum + gas.total, 0);
  const lines = [
    ...output.trim().split("\n"),
    ...methodTable(methods, isUpdated ? actual : budget),
    ...(options.profile === true ? functionTable(functions, total) : []),
    ...(isUpdated ? ["", `${budgetFile} was written`] : []),
  ];
  const gas = { deployment, loading, methods, ...(options.profile === true ? { functions } : {}), overruns };
  report(context, options, { passed: isPassed && overruns.length === 0, output, gas }, lines);
  if (!isPassed) throw new CodedError("CONTRACT_TESTS_FAILED", "The tests of the contract failed");
  if (overruns.length > 0)
    throw new CodedError(
      "CONTRACT_TESTS_FAILED",
      `Gas grew beyond ${BUDGET_FILE}: ${overruns.map(describeOverrun).join("; ")}. Make it cheaper, or accept it with --update-budget`,
    );
}
