// parley contract test: builds a contract and runs its tests under Node's own test runner, without a chain.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { CONTRACT_FILES, openContract } from "#node/contracts/contract-project.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { buildInto, CONTRACT_PATH } from "./contract-build.ts";

interface TestOptions {
  readonly json?: boolean;
}

const HOOKS = fileURLToPath(new URL("../../../contracts/testing/resolve-hooks.ts", import.meta.url));

export function addTestCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command("test")
    .description(`build a contract, or take its module, and run ${CONTRACT_FILES.test}, without a chain`)
    .argument("[path]", CONTRACT_PATH, ".")
    .option("--json", "print JSON");
  withExamples(command, "contract test", "contract test my-token", "contract test out/vault.wasm").action(
    async (path: string, options: TestOptions) => {
      const tests = resolve(openContract(path).test);
      if (!existsSync(tests))
        throw new CodedError("CONFIG_INVALID", `${tests} cannot be read: it should contain the tests of the contract`);
      await buildInto(context, path);
      const { output, isPassed } = await runTests(tests);
      report(context, options, { passed: isPassed, output }, output.trim().split("\n"));
      if (!isPassed) throw new CodedError("CONTRACT_TESTS_FAILED", "The tests of the contract failed");
    },
  );
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
