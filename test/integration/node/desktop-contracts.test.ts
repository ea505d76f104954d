// Contracts of a node that the desktop's shell started: they run in a process of their own, which the shell starts, and whose death harms nothing.

import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { startNodeProcess } from "#electron/main/processes/node-process.ts";
import type { HostedProcess } from "#electron/main/processes/process-host.ts";
import { createNodeClient, type HttpFetch, type NodeClient } from "#shared/api/client.ts";
import { DEFAULT_DESKTOP_SETTINGS } from "#shared/desktop/desktop-settings.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { MessageChannelMain } from "#test/electron/stand-in/message-channel.ts";
import { runningProcesses, utilityProcess } from "#test/electron/stand-in/utility-process.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { findFreePort } from "#test/support/nodes/free-port.ts";
import { knownPid } from "#test/support/nodes/known-pid.ts";

const TOKEN = "secret-of-this-launch";
const CALL = { contractID: nativeContractId("tokens"), body: { method: "burn", args_json: '["none",1]' } };

let folder: TemporaryFolder;
let node: HostedProcess;
let client: NodeClient;
let log = "";
const exits: (number | null)[] = [];

beforeAll(async () => {
  folder = await createTemporaryFolder();
  const port = await findFreePort();
  node = startNodeProcess({
    utilityProcess,
    createChannel: () => new MessageChannelMain(),
    entry: join(ROOT, "node/main.ts"),
    contractsEntry: join(ROOT, "node/composition/reads/contract-reader.ts"),
    environment: {},
    settings: DEFAULT_DESKTOP_SETTINGS,
    isCopied: false,
    dataFolder: folder.path,
    port,
    apiToken: TOKEN,
    flags: ["--dev"],
    log: (text) => {
      log += text;
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  node.onMessage((message) => {
    if (typeof message === "object" && message !== null && "type" in message && message.type === "ready") resolve();
  });
  node.onExit((code) => {
    exits.push(code);
    reject(new Error(`the node ended: ${log}`));
  });
  await promise;
  client = createNodeClient({
    baseUrl: `http://127.0.0.1:${port}`,
    token: TOKEN,
    fetch: (url, init) => fetch(url, init as RequestInit) as ReturnType<HttpFetch>,
  });
});
afterAll(async () => {
  node.postMessage({ type: "stop" });
  await pollUntil(() => exits.length > 0, { what: "the node to stop" });
  await folder.remove();
});

const pidsOf = (name: string): readonly (number | undefined)[] =>
  runningProcesses().flatMap((running) => (running.name === name ? [running.pid] : []));

describe("contracts in the desktop app", () => {
  it("run in a process that the shell starts, which a kill ends without the node", async () => {
    const [nodePid] = pidsOf("Parley node");
    expect(pidsOf("Parley contracts")).toEqual([]);
    const before = await client.callView(CALL);
    expect(before.status).toBe("failed");
    const pid = knownPid(pidsOf("Parley contracts")[0], "Parley contracts");
    process.kill(pid, "SIGKILL");
    // What is under way is refused, and what comes later runs in the next process.
    const after = await pollUntil(() => client.callView(CALL).catch(() => undefined), { what: "another process for contracts" });
    expect(after).toEqual(before);
    await pollUntil(() => pidsOf("Parley contracts").some((other) => other !== pid), { what: "its process id" });
    expect([pidsOf("Parley node"), exits]).toEqual([[nodePid], []]);
    expect((await client.getNetworkInfo({})).height).toBeGreaterThanOrEqual(0);
  });

  it("survive a kill in the middle of many requests", async () => {
    const pid = knownPid(pidsOf("Parley contracts")[0], "Parley contracts");
    const asked = Array.from({ length: 24 }, () =>
      client.callView(CALL).then(
        ({ status }) => status,
        ({ code }: { code: string }) => code,
      ),
    );
    process.kill(pid, "SIGKILL");
    const outcomes = await Promise.all(asked);
    expect(outcomes.filter((outcome) => outcome !== "failed" && outcome !== "UNAVAILABLE" && outcome !== "BUSY")).toEqual([]);
    expect(await pollUntil(() => client.callView(CALL).catch(() => undefined), { what: "an answer" })).toMatchObject({ status: "failed" });
    expect(exits).toEqual([]);
  });

  it("end with the node, which leaves none behind", async () => {
    const pids = pidsOf("Parley contracts").map((pid) => knownPid(pid, "Parley contracts"));
    expect(pids.length).toBeGreaterThan(0);
    node.postMessage({ type: "stop" });
    await pollUntil(() => exits.length > 0 && pidsOf("Parley contracts").length === 0, { what: "all to end" });
    expect(exits).toEqual([0]);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });
});
