// Contracts in other languages from the command line: templates, modules that were built before, builds of the author's own.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { runCommandLine } from "#node/cli/program.ts";
import { hasToolchain } from "#node/contracts/compilers/toolchains.ts";
import { withoutCustomSections } from "#node/vm/module/custom-sections.ts";
import { fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const VECTORS = fileURLToPath(new URL("../../vectors/contracts", import.meta.url));

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());
afterEach(() => void vi.unstubAllEnvs());

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const context = fakeCommandContext();
  const code = await runCommandLine(["contract", ...args], context, () => Promise.reject(new Error("no node was asked for")));
  return { code, out: context.out.join("\n"), err: context.err.join("\n") };
}

/** A new contract in a language; where this machine cannot build it, with the module that was built from the same template. */
async function created(language: "c" | "rust" | "zig"): Promise<string> {
  const path = join(folder.path, `template-${language}`);
  expect(await run("new", path, "--lang", language)).toMatchObject({ code: 0, err: "" });
  if (hasToolchain(language)) return path;
  cpSync(join(VECTORS, "templates", `${language}.wasm`), join(path, "contract.wasm"));
  return join(path, "contract.wasm");
}

describe.each(["c", "rust", "zig"] as const)("a contract in %s", (language) => {
  it("begins from a template, and passes the tests of the counter", async () => {
    const path = await created(language);
    const tested = await run("test", path);
    expect({ code: tested.code, err: tested.err }).toEqual({ code: 0, err: "" });
    expect(tested.out).toContain("pass 4");
    const built = JSON.parse((await run("build", path, "--json")).out) as unknown;
    expect(built).toMatchObject({
      custom_bytes: 0,
      exports: expect.arrayContaining(["add", "reset", "get"]),
      imports: expect.arrayContaining(["arg_u64", "log"]),
    });
  });

  it("is said how to be built where the compiler is missing", async () => {
    const path = join(folder.path, `missing-${language}`);
    await run("new", path, "--lang", language);
    vi.stubEnv("PATH", folder.path);
    expect(await run("build", path)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/cannot be built here: .* (apt-get|npm) install/),
    });
  });
});

describe("a contract in zig", () => {
  it("begins from a template, with what to install", async () => {
    const path = join(folder.path, "new-zig");
    expect(await run("new", path, "--lang", "zig")).toMatchObject({ code: 0, out: expect.stringContaining("parley.zig") });
    expect(readFileSync(join(path, "README.md"), "utf8")).toContain("zig build-exe");
    vi.stubEnv("PATH", folder.path);
    expect(await run("build", path)).toMatchObject({ code: 2, err: expect.stringContaining("https://ziglang.org/download") });
  });
});

describe("a module that something else built", () => {
  const vault = (): string => {
    const path = join(folder.path, "vault");
    mkdirSync(path, { recursive: true });
    for (const file of ["vault.wasm", "vault.abi.json"]) cpSync(join(VECTORS, file), join(path, file));
    return path;
  };
  const TEST = `
    import assert from "node:assert/strict";
    import { it } from "node:test";
    import { TestChain } from "parley/testing";
    it("locks", () => {
      const chain = new TestChain();
      const alice = chain.account("alice");
      const vault = chain.deploy(alice, import.meta.dirname + "/MODULE");
      assert.equal(vault.call(alice, "lock", [chain.time + 100], { amount: 70 }).isOk, true);
    });`;

  it("is checked and tested by its path", async () => {
    const path = vault();
    writeFileSync(join(path, "vault.test.ts"), TEST.replace("MODULE", "vault.wasm"));
    const built = JSON.parse((await run("build", join(path, "vault.wasm"), "--json")).out) as unknown;
    expect(built).toMatchObject({ file: join(path, "vault.wasm"), wasm_size: readFileSync(join(path, "vault.wasm")).length });
    expect(await run("test", join(path, "vault.wasm"))).toMatchObject({ code: 0, out: expect.stringContaining("pass 1") });
  });

  it("is found by a manifest, which also says how to build it", async () => {
    const path = vault();
    const manifest = { build: [process.execPath, "make.mjs"], module: "out/vault.wasm", abi: "vault.abi.json", test: "locks.test.ts" };
    writeFileSync(join(path, "contract.json"), JSON.stringify(manifest));
    writeFileSync(join(path, "locks.test.ts"), TEST.replace("/MODULE", ""));
    writeFileSync(
      join(path, "make.mjs"),
      'import fs from "node:fs"; fs.mkdirSync("out", { recursive: true }); fs.copyFileSync("vault.wasm", "out/vault.wasm"); console.log("made");',
    );
    expect(await run("test", path)).toMatchObject({ code: 0, err: "made", out: expect.stringContaining("pass 1") });
    writeFileSync(join(path, "make.mjs"), 'throw new Error("no flour")');
    expect(await run("build", path)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no flour[\s\S]*which builds .*vault\.wasm, failed/),
    });
    writeFileSync(join(path, "contract.json"), '{"modul":"x.wasm"}');
    expect(await run("build", path)).toMatchObject({ code: 2, err: expect.stringContaining("contract.json is a JSON object with") });
  });

  it("is refused as the network would refuse it", async () => {
    const path = vault();
    writeFileSync(join(path, "text.wasm"), "no module");
    cpSync(join(path, "vault.abi.json"), join(path, "abi.json"));
    expect(await run("build", join(path, "text.wasm"))).toMatchObject({
      code: 2,
      err: expect.stringContaining("is not a WebAssembly module"),
    });
    cpSync(join(VECTORS, "kernels.wasm"), join(path, "kernels.wasm"));
    expect(await run("build", join(path, "kernels.wasm"))).toMatchObject({
      code: 2,
      err: expect.stringContaining("exports no function lock without parameters and result"),
    });
    expect(await run("build", join(path, "absent.wasm"))).toMatchObject({
      code: 2,
      err: expect.stringContaining("absent.wasm is not there"),
    });
    expect(await run("build", join(path, "vault.wasm"), "--memory", "3")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--memory, or memory of contract.json, is for contracts that parley builds"),
    });
  });

  it("says what custom sections cost", async () => {
    const path = vault();
    const module = readFileSync(join(path, "vault.wasm"));
    const named = Buffer.concat([module, Buffer.from([0, 6, 4, 0x6e, 0x6f, 0x74, 0x65, 1])]);
    writeFileSync(join(path, "vault.wasm"), named);
    expect((await run("build", join(path, "vault.wasm"))).out).toContain("8 bytes are custom sections");
    expect(Buffer.from(withoutCustomSections(named))).toEqual(module);
  });
});

describe("parley contract new", () => {
  it("names languages and sources that it does not know", async () => {
    const path = join(folder.path, "unknown");
    expect(await run("new", path, "--lang", "cobol")).toMatchObject({
      code: 2,
      err: expect.stringContaining("choose one of as, c, rust, zig"),
    });
    expect(await run("new", path, "--lang", "c", "--example", "token")).toMatchObject({
      code: 2,
      err: expect.stringContaining("is in AssemblyScript"),
    });
    await run("new", path, "--lang", "c");
    writeFileSync(join(path, "contract.rs"), "");
    expect(await run("build", path)).toMatchObject({ code: 2, err: expect.stringContaining("contract.c and contract.rs") });
  });
});
