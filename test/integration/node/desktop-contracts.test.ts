// Contracts of a node that the desktop's shell started: they run in a process of their own, which the shell starts, and whose death harms nothing.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type DesktopNode, shellProcesses, startDesktopNode } from "#test/support/nodes/desktop-node.ts";
import { findFreePort } from "#test/support/nodes/free-port.ts";
import { knownPid } from "#test/support/nodes/known-pid.ts";

const CALL = { contractID: nativeContractId("tokens"), body: { method: "burn", args_json: '["none",1]' } };

let folder: TemporaryFolder;
let node: DesktopNode;

beforeAll(async () => {
  folder = await createTemporaryFolder();
  node = await startDesktopNode({ dataFolder: folder.path, port: await findFreePort(), flags: ["--dev"] });
});
afterAll(async () => {
  await node.stop();
  await folder.remove();
});

describe("contracts in the desktop app", () => {
  it("run in a process that the shell starts, which a kill ends without the node", async () => {
    const [nodePid] = shellProcesses("Parley node");
    expect(shellProcesses("Parley contracts")).toEqual([]);
    const before = await node.client.callView(CALL);
    expect(before.status).toBe("failed");
    const pid = knownPid(shellProcesses("Parley contracts")[0], "Parley contracts");
    process.kill(pid, "SIGKILL");
    // What is under way is refused, and what comes later runs in the next process.
    const after = await pollUntil(() => node.client.callView(CALL).catch(() => undefined), { what: "another process for contracts" });
    expect(after).toEqual(before);
    await pollUntil(() => shellProcesses("Parley contracts").some((other) => other !== pid), { what: "its process id" });
    expect([shellProcesses("Parley node"), node.exits]).toEqual([[nodePid], []]);
    expect((await node.client.getNetworkInfo({})).height).toBeGreaterThanOrEqual(0);
  });

  it("survive a kill in the middle of many requests", async () => {
    const pid = knownPid(shellProcesses("Parley contracts")[0], "Parley contracts");
    const asked = Array.from({ length: 24 }, () =>
      node.client.callView(CALL).then(
        ({ status }) => status,
        ({ code }: { code: string }) => code,
      ),
    );
    process.kill(pid, "SIGKILL");
    const outcomes = await Promise.all(asked);
    expect(outcomes.filter((outcome) => outcome !== "failed" && outcome !== "UNAVAILABLE" && outcome !== "BUSY")).toEqual([]);
    expect(await pollUntil(() => node.client.callView(CALL).catch(() => undefined), { what: "an answer" })).toMatchObject({
      status: "failed",
    });
    expect(node.exits).toEqual([]);
  });

  it("end with the node, which leaves none behind", async () => {
    const pids = shellProcesses("Parley contracts").map((pid) => knownPid(pid, "Parley contracts"));
    expect(pids.length).toBeGreaterThan(0);
    await node.stop();
    await pollUntil(() => shellProcesses("Parley contracts").length === 0, { what: "all to end" });
    expect(node.exits).toEqual([0]);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });
});
