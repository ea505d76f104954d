// Making contracts from the command line: every example is copied, built and passes its own tests; what is wrong is said.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { runCommandLine } from "#node/cli/program.ts";
import { COMPILER_MISSING } from "#node/contracts/interface/syntax-tree.ts";
import { EXAMPLES_FOLDER, exampleNames } from "#node/contracts/new-contract.ts";
import { inspectModule } from "#node/vm/contract-vm.ts";
import { parseModule } from "#node/vm/module/parse-module.ts";
import { fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY, wholeUnless } from "#test/support/host/test-extent.ts";

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const context = fakeCommandContext();
  const code = await runCommandLine(["contract", ...args], context, () => Promise.reject(new Error("no node was asked for")));
  return { code, out: context.out.join("\n"), err: context.err.join("\n") };
}

function change(path: string, from: string, to: string): void {
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

/** What the app deploys, and what most contracts begin from. */
const ALWAYS = ["counter", "escrow", "multisig", "token"];

describe("parley contract", () => {
  it("has an example of every part of the library", () => {
    const names = ["auction", "counter", "escrow", "multisig", "nft", "proxy", "spending", "timelock", "token", "vesting"];
    expect(exampleNames()).toEqual(names);
  });

  for (const example of exampleNames())
    it(`begins and tests a contract like ${example}, within its budget`, wholeUnless(ALWAYS.includes(example)), async () => {
      const path = join(folder.path, example);
      expect(await run("new", path, "--example", example)).toMatchObject({ code: 0, err: "" });
      const tested = await run("test", path);
      expect({ code: tested.code, err: tested.err }).toEqual({ code: 0, err: "" });
      expect(tested.out).toMatch(/pass ([3-9]|\d\d)\n/);
      expect(tested.out).toContain("fail 0");
      const own = (file: string): unknown => JSON.parse(readFileSync(join(EXAMPLES_FOLDER, example, file), "utf8"));
      expect(JSON.parse(readFileSync(join(path, "abi.json"), "utf8"))).toEqual(own("abi.json"));
      expect(own("gas-budget.json")).toMatchObject({ deployment: expect.any(Number) });
    });

  it("builds a module that the network takes", async () => {
    const path = join(folder.path, "built");
    await run("new", path);
    const built = JSON.parse((await run("build", path, "--json")).out) as unknown;
    const module = readFileSync(join(path, "contract.wasm"));
    expect(inspectModule(module).isValid).toBe(true);
    expect(built).toEqual({
      file: join(path, "contract.wasm"),
      wasm_size: module.length,
      custom_bytes: 0,
      exports: expect.any(Array),
      imports: expect.any(Array),
      loading_gas: expect.any(Number),
      loading_gas_least: expect.any(Number),
      loading_gas_most: expect.any(Number),
      deployment_gas: expect.any(Number),
      published_deployment_gas: expect.any(Number),
      deployment_ut: expect.any(Number),
    });
  });

  it("says what is wrong with a contract", async () => {
    const path = join(folder.path, "wrong");
    await run("new", path);
    const source = join(path, "contract.ts");
    change(source, "count.get() + n", 'count.get() + argU64("x")');
    change(source, "{ caller,", "{ argU64, caller,");
    expect(await run("build", path)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/TS2322[\s\S]*contract\.ts\(11,36\)[\s\S]*cannot be compiled/),
    });
    change(source, 'argU64("x")', "<u64>(<f64>argU64(0) * 1.5)");
    expect(await run("build", path)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/floats are not allowed.*, in add \(contract\.ts:11:\d+\), instruction 0x[0-9a-f]+ at offset 0x[0-9a-f]+/),
    });
    change(source, "<u64>(<f64>argU64(0) * 1.5)", "argU64(0)");
    change(source, "@view", "@view export function scale(by: f64): f64 { return by; }\n@view");
    expect(await run("build", path)).toMatchObject({ code: 2, err: expect.stringContaining("f64 is a float, and contracts have none") });
  });

  it("says what is wrong with a contract that has an abi.json", async () => {
    const path = join(folder.path, "untyped");
    await run("new", path);
    const scale = "export function scale(by: f64): f64 { return by; }";
    const source = join(path, "contract.ts");
    writeFileSync(source, ["add", "reset", "get"].map((name) => `export function ${name}(): void {}\n`).join("") + scale);
    expect(await run("build", path)).toMatchObject({
      code: 2,
      err: expect.stringContaining("floats are not allowed: their NaNs differ between machines, in the parameters or the result of scale"),
    });
    change(source, scale, "");
    change(join(path, "abi.json"), '"reset"', '"restart"');
    expect(await run("build", path)).toMatchObject({
      code: 2,
      err: expect.stringContaining("exports no function restart without parameters and result"),
    });
    change(join(path, "abi.json"), '"version"', '"edition"');
    expect(await run("build", path)).toMatchObject({ code: 2, err: expect.stringContaining("abi.json is not an ABI") });
  });

  it("lets the memory grow as far as is asked for, and no farther than the network allows", WHOLE_ONLY, async () => {
    const path = join(folder.path, "roomy");
    await run("new", path);
    const most = async (...options: readonly string[]): Promise<number> => {
      expect((await run("build", path, ...options)).code).toBe(0);
      return parseModule(readFileSync(join(path, "contract.wasm"))).memory.most;
    };
    expect([await most(), await most("--memory", "40")]).toEqual([8, 40]);
    expect(await run("build", path, "--memory", "65")).toMatchObject({ code: 2, err: expect.stringContaining("from 1 to 64") });
    writeFileSync(join(path, "contract.json"), '{"memory":16}');
    expect([await most(), await most("--memory", "40")]).toEqual([16, 40]);
    await run("test", path);
    expect(parseModule(readFileSync(join(path, "contract.wasm"))).memory.most).toBe(16);
    writeFileSync(join(path, "contract.json"), '{"memory":65}');
    expect(await run("build", path)).toMatchObject({ code: 2, err: expect.stringContaining("a number of pages from 1 to 64") });
  });

  it("says what to do without the compiler", async () => {
    const path = join(folder.path, "alone");
    await run("new", path);
    vi.doMock("assemblyscript/asc", () => Promise.reject(new Error("Cannot find package")));
    try {
      expect(await run("build", path)).toMatchObject({ code: 2, err: expect.stringContaining(COMPILER_MISSING) });
    } finally {
      vi.doUnmock("assemblyscript/asc");
    }
  });

  it("fails when a test does, and shows the report", async () => {
    const path = join(folder.path, "failing");
    await run("new", path);
    change(join(path, "contract.ts"), "count.set(sum)", "count.set(sum + 1)");
    const tested = await run("test", path);
    expect([tested.code, tested.err]).toEqual([1, "The tests of the contract failed."]);
    expect(tested.out).toContain("fail 2");
  });

  it("names the author's line where a call fails", async () => {
    const path = join(folder.path, "located");
    await run("new", path);
    change(
      join(path, "contract.test.ts"),
      'assert.match(counter.call(chain.account("bob"), "add", [1]).reason, /^the count would overflow/);',
      [
        'const { reason, where } = counter.call(chain.account("bob"), "add", [1]);',
        String.raw`assert.match(reason + ", " + where, /^the count would overflow, in add \(contract\.ts:12:\d+\)$/);`,
      ].join("\n"),
    );
    const tested = await run("test", path);
    expect(tested.code, tested.out).toBe(0);
  });

  it("never writes over anything", async () => {
    expect(await run("new", folder.path)).toMatchObject({ code: 2, err: expect.stringContaining("already exists") });
    expect(await run("new", join(folder.path, "x"), "--example", "lottery")).toMatchObject({
      code: 2,
      err: expect.stringContaining("choose one of auction, counter"),
    });
    expect(await run("build", join(folder.path, "nowhere"))).toMatchObject({ code: 2, err: expect.stringContaining("has no abi.json") });
    expect(await run("test", join(folder.path, "nowhere"))).toMatchObject({
      code: 2,
      err: expect.stringContaining("contract.test.ts cannot be read"),
    });
  });
});
