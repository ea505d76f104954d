// A copy of the tree in a temporary folder, in which one bug after another is planted and the tests of its row are run.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { ROOT } from "#build/scripts/process.ts";
import { mutatedText } from "#test/support/host/mutation.ts";
import type { Mutant } from "./mutant.ts";

/** A run that takes longer has noticed the bug by hanging, ms. */
const RUN_TIMEOUT_MS = 240_000;
/** Folders of the root that tests do not read, or that are linked. */
const NOT_COPIED = new Set([".git", "node_modules", "dist", "release"]);
/** What Vitest remembers of its runs stays out of the copy, and what it learns there stays in it. */
const NOT_LINKED = new Set([".vite", ".vitest", ".cache"]);

/** How a run of tests ended. */
export interface TestRun {
  readonly outcome: "passed" | "failed" | "timeout";
  readonly output: string;
}

/** Runs tests on a tree of its own. */
export class MutantWorker implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "parley-mutants-"));
  #stopRun: () => void = () => undefined;

  constructor() {
    cpSync(ROOT, this.#folder, { recursive: true, filter: (source) => !NOT_COPIED.has(relative(ROOT, source)) });
    const modules = join(this.#folder, "node_modules");
    mkdirSync(modules);
    for (const name of readdirSync(join(ROOT, "node_modules")))
      if (!NOT_LINKED.has(name)) symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }

  /** Runs the tests with the bug in its file, and takes it out again. @throws Error when the bug does not fit. */
  async tryMutant(mutant: Mutant): Promise<TestRun> {
    const path = join(this.#folder, mutant.file);
    const original = readFileSync(path, "utf8");
    writeFileSync(path, mutatedText(mutant, this.#folder));
    try {
      return await this.runTests(mutant.tests);
    } finally {
      writeFileSync(path, original);
    }
  }

  /** Runs files or folders below `test/unit`, to the first failure. */
  runTests(tests: readonly string[]): Promise<TestRun> {
    const paths = tests.map((test) => join("test/unit", test));
    const args = ["run", "--config", "build/vitest.config.ts", "--project=unit*", "--bail=1", "--reporter=dot", "--no-color", ...paths];
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", ...args], { cwd: this.#folder });
      let output = "";
      let isLate = false;
      const note = (text: string): void => {
        output += text;
      };
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", note);
      const timer = setTimeout(() => {
        isLate = true;
        child.kill("SIGKILL");
      }, RUN_TIMEOUT_MS);
      this.#stopRun = (): void => void child.kill("SIGKILL");
      child.on("error", reject).on("close", (code) => {
        clearTimeout(timer);
        resolve({ outcome: isLate ? "timeout" : code === 0 ? "passed" : "failed", output });
      });
    });
  }

  [Symbol.dispose](): void {
    this.#stopRun();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
