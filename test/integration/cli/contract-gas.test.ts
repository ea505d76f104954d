// What parley contract test says of gas: by methods, by functions, and against a budget.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommandLine } from "#node/cli/program.ts";
import { fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";

interface GasReport {
  readonly passed: boolean;
  readonly gas: {
    readonly loading: number;
    readonly methods: Readonly<
      Record<string, { readonly calls: number; readonly least: number; readonly most: number; readonly total: number }>
    >;
    readonly functions: readonly { readonly name: string; readonly isHost: boolean; readonly gas: number; readonly calls: number }[];
    readonly overruns: readonly { readonly what: string }[];
  };
}

const TEST = `
  import { it } from "node:test";
  import { TestChain } from "parley/testing";
  it("counts", () => {
    const chain = new TestChain();
    const alice = chain.account("alice");
    const counter = chain.deploy(alice, import.meta.dirname);
    counter.call(alice, "add", [5]);
    counter.call(alice, "add", [7]);
    counter.call(alice, "add", ["no number"]);
    counter.view("get");
  });`;

/** The price that build prints is that of a chain whose heights have four digits: two bytes more of the record. */
const YOUNG_CHAIN = 20;
/** Gas of the bytes of arguments. */
const ARGUMENT_BYTE = 30;

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
let path: string;
beforeAll(async () => {
  folder = await createTemporaryFolder();
  path = join(folder.path, "counter");
  await run("new", path);
  // The one of the example has all of its methods.
  rmSync(join(path, "gas-budget.json"));
  writeFileSync(join(path, "contract.test.ts"), TEST);
});
afterAll(() => folder[Symbol.asyncDispose]());

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const context = fakeCommandContext();
  const code = await runCommandLine(["contract", ...args], context, () => Promise.reject(new Error("no node was asked for")));
  return { code, out: context.out.join("\n"), err: context.err.join("\n") };
}

describe("gas in parley contract test", () => {
  it("is counted by methods that succeeded", async () => {
    const { code, out } = await run("test", path);
    expect(code).toBe(0);
    expect(out).toMatch(/gas by method +calls +least +most\nadd +2 +[\d,]+ +[\d,]+\nget +1 +[\d,]+ +[\d,]+$/);
    expect(existsSync(join(path, "gas-budget.json"))).toBe(false);
  });

  it("is counted by functions and calls of the host, to the last unit", async () => {
    const { gas } = JSON.parse((await run("test", path, "--profile", "--json")).out) as GasReport;
    const total = Object.values(gas.methods).reduce((sum, method) => sum + method.total, 0);
    const used = gas.functions.reduce((sum, counted) => sum + counted.gas, 0);
    expect(total - used).toBe(3 * (gas.loading - YOUNG_CHAIN) + ARGUMENT_BYTE * ("[5]".length + "[7]".length + "[]".length));
    const callsOf = (name: string, isHost: boolean): number | undefined =>
      gas.functions.find((counted) => counted.name === name && counted.isHost === isHost)?.calls;
    expect([callsOf("add", false), callsOf("get", false), callsOf("log", true), callsOf("state_set", true)]).toEqual([2, 1, 2, 2]);
    const { out } = await run("test", path, "--profile");
    expect(out).toMatch(/\ngas by function +calls +gas +share\nloading and arguments +[\d,]+ +\d+\.\d %\nhost state_set +2 /);
  });

  it("fails the tests when a method grows beyond its budget, until the budget is written again", WHOLE_ONLY, async () => {
    const source = join(path, "contract.ts");
    const budget = join(path, "gas-budget.json");
    const written = await run("test", path, "--update-budget");
    expect(written).toMatchObject({ code: 0, out: expect.stringContaining("gas-budget.json was written") });
    const before = JSON.parse(readFileSync(budget, "utf8")) as { readonly methods: Readonly<Record<string, number>> };
    expect(Object.keys(before.methods)).toEqual(["add", "get"]);
    expect((await run("test", path)).code).toBe(0);
    writeFileSync(
      source,
      readFileSync(source, "utf8").replace("count.set(sum);", '$&\n  storage.setU64("again", n);').replace("owner,", "owner, storage,"),
    );
    const grown = await run("test", path);
    expect(grown).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Gas grew beyond gas-budget\.json: .*add [\d,]+ gas, [\d,]+ allowed \(\+\d+\.\d %\)/),
    });
    const report = JSON.parse((await run("test", path, "--json")).out) as GasReport;
    expect([report.passed, report.gas.overruns.map(({ what }) => what)]).toEqual([false, ["deployment", "loading", "add", "get"]]);
    expect((await run("test", path, "--update-budget")).code).toBe(0);
    expect((await run("test", path)).code).toBe(0);
  });

  it("keeps the budget when the tests fail, and refuses a file that is none", async () => {
    const budget = join(path, "gas-budget.json");
    expect((await run("test", path, "--update-budget")).code).toBe(0);
    const before = readFileSync(budget, "utf8");
    writeFileSync(join(path, "contract.test.ts"), `${TEST}\nit("fails", () => { throw new Error("on purpose"); });`);
    expect(await run("test", path, "--update-budget")).toMatchObject({ code: 1, err: "The tests of the contract failed." });
    expect(readFileSync(budget, "utf8")).toBe(before);
    writeFileSync(budget, "{}");
    expect(await run("test", path)).toMatchObject({ code: 2, err: expect.stringContaining("gas-budget.json is no budget") });
  });
});
