// The unit that `parley service install` writes for systemd, held to what docs/operators.md says of it: systemd accepts it, its command line
// runs the node with nothing of a shell around it, and the node ends, fails and starts again as the unit counts on.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNodeClient } from "#shared/api/client.ts";
import { filledCommand, pageCommands } from "#test/support/cli/page-commands.ts";
import { endWithTests } from "#test/support/host/end-with-tests.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { plainFetch } from "#test/support/nodes/connect-to-node.ts";
import { endChild } from "#test/support/nodes/end-child.ts";
import { findFreePort } from "#test/support/nodes/free-port.ts";
import { runParley } from "#test/support/nodes/run-program.ts";

const HAS_SYSTEMD = spawnSync("systemd-analyze", ["--version"]).status === 0;
const WAIT = { timeoutMs: 90_000, intervalMs: 100 };

let folder: TemporaryFolder;
let dataDir = "";
let unitFile = "";
let url = "";

beforeAll(async () => {
  folder = await createTemporaryFolder("parley-service-");
  // Blanks and signs that systemd takes apart or expands.
  dataDir = join(folder.path, "Parley's data 100% $HOME");
  await mkdir(dataDir);
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  const config = join(folder.path, "config");
  const flags = ["--dev", "--stats-addr", `127.0.0.1:${port}`, "--p2p-addr", "127.0.0.1:0"];
  const installed = await runParley(["service", "install", "--data-dir", dataDir, "--", ...flags], { env: { XDG_CONFIG_HOME: config } });
  expect(installed, installed.stderr).toMatchObject({ code: 0 });
  unitFile = join(config, "systemd", "user", "parley.service");
});
afterAll(() => folder?.remove());

const unit = (file = unitFile): string => readFileSync(file, "utf8");
const settingOf = (name: string, file = unitFile): string => new RegExp(`^${name}=(.*)$`, "m").exec(unit(file))?.[1] ?? "";

/** Words of a command line, as systemd.syntax(7) takes it apart; nothing is left in them that it would put a value in place of. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = ""], index) => {
    const text = word.replaceAll(/\\(.)/g, "$1");
    expect(text.replaceAll("%%", "")).not.toContain("%");
    if (index === 0) return text.replaceAll("%%", "%");
    expect(text.replaceAll("$$", "")).not.toContain("$");
    return text.replaceAll("%%", "%").split("$$").join("$");
  });
}

/** Starts what the unit starts, with the surroundings of a service: no shell, another folder, next to no variables. */
function start(file = unitFile): { readonly child: ChildProcess; readonly log: () => string } {
  const [program = "", ...words] = wordsOf(settingOf("ExecStart", file));
  const { PATH = "" } = process.env;
  const child = spawn(program, words, { cwd: "/", env: { HOME: folder.path, PATH }, stdio: ["ignore", "ignore", "pipe"] });
  endWithTests(child);
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  return { child, log: () => log };
}

async function startServing(file = unitFile, at = url): Promise<ReturnType<typeof start>> {
  const started = start(file);
  const isReady = (): boolean => started.child.exitCode !== null || started.log().includes(`Ready at ${at}`);
  await pollUntil(isReady, { ...WAIT, what: "the service to be ready" });
  expect(started.child.exitCode, started.log()).toBeNull();
  return started;
}

const client = (): ReturnType<typeof createNodeClient> => createNodeClient({ baseUrl: url, fetch: plainFetch });

describe("a service of systemd", () => {
  it.runIf(HAS_SYSTEMD)("has a unit that systemd accepts without a word", () => {
    expect(execFileSync("systemd-analyze", ["verify", "--man=no", unitFile], { encoding: "utf8", stdio: "pipe" })).toBe("");
  });

  it("answers once it says that it is ready, and ends in order and in time when systemd asks for it", async () => {
    const { child, log } = await startServing();
    expect((await client().getStatus({})).sync.state).toBe("live");
    const askedMs = performance.now();
    // systemd sends SIGTERM to the node alone, and kills what is left in the end.
    expect(settingOf("KillMode")).toBe("mixed");
    expect(await endChild(child, "SIGTERM")).toBe(0);
    expect(performance.now() - askedMs).toBeLessThan(Number(settingOf("TimeoutStopSec")) * 1_000);
    expect(log()).toContain("Stopped");
  });

  it("ends as well when it is asked to before it serves", async () => {
    const { child, log } = start();
    await once(child, "spawn");
    await endChild(child, "SIGTERM");
    expect([0, null], log()).toContain(child.exitCode);
    expect(log()).not.toMatch(/^\s+at /m);
  });

  it("is started again after a kill, and continues", WHOLE_ONLY, async () => {
    expect(settingOf("Restart")).toBe("always");
    const { child } = await startServing();
    const before = await client().getNetworkInfo({});
    const { height } = (await client().getStatus({})).sync;
    expect(await endChild(child, "SIGKILL")).toBeNull();
    const again = await startServing();
    expect((await client().getNetworkInfo({})).genesis_hash).toBe(before.genesis_hash);
    expect((await client().getStatus({})).sync.height).toBeGreaterThanOrEqual(height);
    // A second one on the same folder is refused in a sentence, and may be tried again.
    const second = start();
    await once(second.child, "close");
    expect(second.child.exitCode, second.log()).toBe(3);
    expect(settingOf("RestartPreventExitStatus").split(" ")).not.toContain("3");
    expect(await endChild(again.child, "SIGTERM")).toBe(0);
  });

  it("is not started again where that changes nothing: settings that are wrong", async () => {
    const file = join(dataDir, "config.json");
    await writeFile(file, '{ "retain": "some" }');
    const { child, log } = start();
    await once(child, "close");
    expect(log().trim().split("\n")).toHaveLength(1);
    expect(log()).toContain('--retain is "some"');
    expect(settingOf("RestartPreventExitStatus").split(" ")).toContain(String(child.exitCode));
    await writeFile(file, "{}");
    const { child: mended } = await startServing();
    expect(await endChild(mended, "SIGTERM")).toBe(0);
  });
});

describe("a signer as a service of systemd", () => {
  const [install, ...rest] = pageCommands("operators.md", "**A service** for it", "**A memory that is ahead");

  it("signs again after a kill, beside no other one, and stays ended where another start changes nothing", WHOLE_ONLY, async () => {
    expect(rest).toEqual([]);
    const [dir, socket] = [join(folder.path, "The signer's 100% $HOME"), join(folder.path, "run", "s")];
    const made = await runParley(["signer", "init", "--dir", dir, "--chain-id", "parley-1"]);
    expect(made, made.stderr).toMatchObject({ code: 0 });
    const config = join(folder.path, "config");
    // What --start does needs a system with a service manager that is at work.
    const [, ...words] = filledCommand(install ?? [], { signer: dir, "/run/user/1000/parley-signer/sock": socket, "--start": [] });
    const installed = await runParley(words, { env: { XDG_CONFIG_HOME: config } });
    expect(installed, installed.stderr).toMatchObject({ code: 0 });
    const file = join(config, "systemd", "user", "parley-signer.service");
    const { child } = await startServing(file, socket);
    expect(settingOf("Restart", file)).toBe("always");
    expect(await endChild(child, "SIGKILL")).toBeNull();
    const again = await startServing(file, socket);
    expect(again.log()).toContain("The signer starts, last signature: height 0");
    const second = start(file);
    await once(second.child, "close");
    expect(second.child.exitCode, second.log()).toBe(3);
    expect(await endChild(again.child, "SIGTERM")).toBe(0);

    const final = settingOf("RestartPreventExitStatus", file).split(" ");
    const other = await runParley(["signer", "--dir", dir, "--chain-id", "parley-2", "--listen", socket]);
    expect([final.includes(String(other.code)), other.stderr.trim().split("\n").length], other.stderr).toEqual([true, 1]);
    await rm(join(dir, "validator-key.json"));
    const without = start(file);
    await once(without.child, "close");
    expect(without.log()).toContain("There is no key at");
    expect(final).toContain(String(without.child.exitCode));
  });
});
