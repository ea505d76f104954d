// The npm package as a stranger gets it: `npm pack` of the checkout, the file installed by npm in an empty folder, and the program started
// from there, with no source and no tool of the checkout in reach.
import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { COMPILER_MISSING } from "#node/contracts/interface/syntax-tree.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { endWithTests } from "../support/host/end-with-tests.ts";
import { pollUntil } from "../support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../support/host/temporary-folder.ts";
import { cleanEnvironment, type ProgramResult, runProgram } from "../support/nodes/run-program.ts";

/** The file, and everything that npm unpacks beside Node itself. */
const [MAX_FILE_BYTES, MAX_INSTALLED_BYTES] = [12 * 1024 * 1024, 95 * 1024 * 1024];

describe("the npm package", () => {
  let folder: TemporaryFolder;
  let file = "";
  let place = "";

  beforeAll(async () => {
    folder = await createTemporaryFolder();
    file = await pack("first");
    place = join(folder.path, "empty");
    mkdirSync(place);
    writeFileSync(join(place, "package.json"), "{}");
    await runNpm(["install", "--omit=optional", "--prefer-offline", file], place);
  });
  afterAll(() => folder.remove());

  /** Packs the checkout and returns the path of the file. */
  async function pack(name: string): Promise<string> {
    const target = join(folder.path, name);
    mkdirSync(target);
    await runNpm(["pack", "--ignore-scripts=false", "--pack-destination", target], ROOT);
    const [packed = ""] = readdirSync(target);
    expect(packed).toMatch(/^parley-.+\.tgz$/);
    return join(target, packed);
  }

  function runInstalled(args: readonly string[]): Promise<ProgramResult> {
    return runProgram(process.execPath, [join(place, "node_modules/.bin/parley"), ...args], { cwd: place });
  }

  /** From a new folder to an agent that serves, which is two more programs, and its end. */
  async function runAgent(nodeUrl: string): Promise<void> {
    const [dir, password] = [join(folder.path, "agent"), join(folder.path, "password")];
    writeFileSync(password, "correct horse battery staple\n", { mode: 0o600 });
    const common = ["--dir", dir, "--password-file", password];
    const made = await runInstalled(["agent", "init", ...common, "--phrase-out", join(folder.path, "phrase")]);
    expect(made).toMatchObject({ code: 0 });
    const args = ["agent", "run", ...common, "--unlock", "messages", "--node", nodeUrl];
    const agent = spawn(process.execPath, [join(place, "node_modules/.bin/parley"), ...args], { cwd: place, env: cleanEnvironment() });
    endWithTests(agent);
    const exited = new Promise((resolve) => agent.once("exit", (code) => resolve(code)));
    await pollUntil(() => existsSync(join(dir, "endpoint.json")) || agent.exitCode !== null);
    agent.kill("SIGTERM");
    expect(await exited).toBe(0);
  }

  it("stays small", () => {
    expect(statSync(file).size).toBeLessThan(MAX_FILE_BYTES);
    expect(bytesBelow(join(place, "node_modules"))).toBeLessThan(MAX_INSTALLED_BYTES);
  });

  it("brings the native packages alone, its notices, and no source, map or test", () => {
    const packages = readdirSync(join(place, "node_modules"));
    expect(packages).toEqual(expect.arrayContaining(["better-sqlite3", "parley", "sodium-native"]));
    expect(packages).not.toEqual(expect.arrayContaining(["fastify"]));
    const names = readdirSync(join(place, "node_modules/parley"), { recursive: true, encoding: "utf8" }).map((name) =>
      name.replaceAll("\\", "/"),
    );
    expect(names).toEqual(expect.arrayContaining(["README.md", "dist/program/THIRD-PARTY.txt", "dist/program/dist/renderer/index.html"]));
    // Every font that its style sheets name, emoji too.
    const styles = names.filter((name) => /^dist\/program\/dist\/renderer\/.+\.css$/.test(name));
    const named = styles.flatMap((name) =>
      [...readFileSync(join(place, "node_modules/parley", name), "utf8").matchAll(/[\w.-]+\.woff2/g)].map(([file]) => file),
    );
    const there = names.filter((name) => name.endsWith(".woff2")).map((name) => basename(name));
    expect([...new Set(named)].sort()).toEqual(there.sort());
    expect(there.filter((name) => name.startsWith("emoji-")).length).toBeGreaterThan(20);
    const isOwnSource = (name: string): boolean => /\.(ts|tsx|map)$/.test(name) && !/^dist\/program\/node\/contracts\//.test(name);
    const declarations = /^dist\/program\/client\/[\w-]+\.d\.ts$/;
    expect(names.filter((name) => isOwnSource(name) && !declarations.test(name))).toEqual([]);
    expect(names).toContain("dist/program/client/index.d.ts");
  });

  it("is the same, byte for byte, when it is packed again", WHOLE_ONLY, async () => {
    expect(hash("sha256", readFileSync(await pack("second")))).toBe(hash("sha256", readFileSync(file)));
  });

  it("gives programs parley/client", async () => {
    const program = 'import * as client from "parley/client"; console.log(Object.keys(client).sort().join());';
    const imported = await runProgram(process.execPath, ["--input-type=module", "--eval", program], { cwd: place });
    expect(imported).toEqual({ code: 0, stdout: "ParleyError,connect,isParleyError\n", stderr: "" });
  });

  it("says which commit it is", async () => {
    const checkout = await runProgram(process.execPath, ["node/parley.mjs", "--version"]);
    expect(await runInstalled(["--version"])).toEqual({ code: 0, stdout: checkout.stdout, stderr: "" });
  });

  it("starts a node that serves chain and interface, and an agent beside it, and ends both in order", async () => {
    const args = ["node", "--dev", "--data-dir", join(folder.path, "data"), "--stats-addr", "127.0.0.1:0"];
    const node = spawn(process.execPath, [join(place, "node_modules/.bin/parley"), ...args], { cwd: place, env: cleanEnvironment() });
    try {
      const exited = new Promise((resolve) => node.once("exit", (code) => resolve(code)));
      const url = await Promise.race([firstAddress(node.stdout, node.stderr), exited.then(() => "")]);
      expect(await (await fetch(`${url}/api/netstats`)).json()).toMatchObject({ validator_count: 1 });
      expect(await (await fetch(`${url}/`)).text()).toContain('<div id="root">');
      expect((await fetch(`${url}/swagger`)).status).toBe(200);
      // A thread of its own, whose file is beside the program's.
      expect(await (await fetch(`${url}/api/search?q=0`)).json()).toMatchObject({ blocks: [{ index: 0 }] });
      await runAgent(url);
      node.kill("SIGTERM");
      expect(await exited).toBe(0);
    } finally {
      node.kill("SIGKILL");
    }
  });

  it("has what authors of contracts need but the compiler, and says how to get that", async () => {
    const contract = join(folder.path, "counter");
    expect(await runInstalled(["contract", "new", contract])).toMatchObject({ code: 0 });
    const build = await runInstalled(["contract", "build", contract]);
    expect([build.code, build.stderr]).toEqual([expect.any(Number), expect.stringContaining(COMPILER_MISSING)]);
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as PackageFile;
    expect(COMPILER_MISSING).toContain(`npm install assemblyscript@${devDependencies.assemblyscript} `);
  });

  it("runs the tests of a contract whose module is there", async () => {
    const contract = join(folder.path, "vault");
    expect(await runInstalled(["contract", "new", contract, "--lang", "c"])).toMatchObject({ code: 0 });
    copyFileSync(join(ROOT, "test/vectors/contracts/templates/c.wasm"), join(contract, "contract.wasm"));
    expect(await runInstalled(["contract", "test", join(contract, "contract.wasm")])).toMatchObject({ code: 0 });
  });
});

interface PackageFile {
  readonly devDependencies: { readonly assemblyscript: string };
}

/** Runs the npm of this machine in a folder. Throws with its words when it fails. */
async function runNpm(args: readonly string[], cwd: string): Promise<void> {
  const path = process.env.npm_execpath;
  const [program, first] = path?.endsWith("js") ? [process.execPath, [path]] : ["npm", []];
  const { code, stderr } = await runProgram(program, [...first, ...args, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd,
    timeoutMs: 300_000,
  });
  if (code !== 0) throw new Error(`npm ${args.join(" ")} failed: ${stderr}`);
}

/** The address that a starting node prints. */
async function firstAddress(...streams: readonly NodeJS.ReadableStream[]): Promise<string> {
  return await new Promise((resolve) => {
    for (const input of streams)
      createInterface({ input }).on("line", (line) => {
        const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
        if (url !== undefined) resolve(url);
      });
  });
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
