// What programs of this machine may do on a node that is open to its owner alone, as the desktop app starts it: real processes, real files.
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readEndpointFile } from "#node/config/files/endpoint-file.ts";
import { runCommand } from "#test/support/cli/live-command-context.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { startNode } from "#test/support/nodes/start-node.ts";
import { deviceKey } from "#test/support/worlds/ledger-world.ts";

const ENVIRONMENT = { SVC_API_TOKEN: "page-token", SVC_API_OPEN: "chain" };

it("the public chain is for all, everything else for what can read the data folder", async () => {
  await using folder = await createTemporaryFolder();
  const dataDir = join(folder.path, "data");
  await using node = await startNode({ dataDir, env: ENVIRONMENT });
  const pub = deviceKey(1);
  const status = async (path: string, init: RequestInit = {}): Promise<number> => {
    const response = await fetch(`${node.baseUrl}${path}`, init);
    await response.arrayBuffer();
    return response.status;
  };
  for (const path of ["/api/netstats", "/api/blocks", "/api/network-info", "/api/contracts", "/api/status"])
    expect([path, await status(path)]).toEqual([path, 200]);
  const others: readonly (readonly [string, RequestInit])[] = [
    [`/relay/inbox?pub=${pub}`, {}],
    [`/relay/inbox/count?pub=${pub}`, {}],
    [`/relay/inbox/x?pub=${pub}`, { method: "DELETE" }],
    ["/api/tx", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }],
    ["/relay/broadcast", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }],
  ];
  const endpoint = readEndpointFile(join(dataDir, "endpoint.json"));
  expect(endpoint).toMatchObject({ apps: null, node: { url: node.baseUrl }, pid: node.child.pid });
  expect((await stat(join(dataDir, "endpoint.json"))).mode & 0o777).toBe(0o600);
  for (const [path, init] of others) {
    expect([path, await status(path, init)]).toEqual([path, 401]);
    for (const token of [endpoint?.node?.secret, "page-token"])
      expect([path, await status(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } })]).not.toEqual([
        path,
        401,
      ]);
  }
  const key = join(folder.path, "key.json");
  expect((await runCommand(["keygen", "--out", key, "--plain"])).code).toBe(0);
  expect((await runCommand(["faucet", "--key", key, "--wait", "--node", node.baseUrl])).code).toBe(1);
  expect((await runCommand(["faucet", "--key", key, "--wait", "--data-dir", dataDir])).stderr).toBe("");
  expect((await runCommand(["inbox", "--key", key, "--data-dir", dataDir])).code).toBe(0);
  // The secret is for the node that wrote it, and for no other address.
  expect(
    (await runCommand(["faucet", "--key", key, "--data-dir", dataDir, "--node", `${node.baseUrl.replace("127.0.0.1", "localhost")}`])).code,
  ).toBe(1);
  expect(await node.stop()).toBe(0);
  expect(readEndpointFile(join(dataDir, "endpoint.json"))).toBeUndefined();
});

it("a node that was killed leaves a file that opens nothing and misleads no command", async () => {
  await using folder = await createTemporaryFolder();
  const dataDir = join(folder.path, "data");
  const node = await startNode({ dataDir, env: ENVIRONMENT });
  await node.kill();
  expect(readEndpointFile(join(dataDir, "endpoint.json"))).toMatchObject({ node: { url: node.baseUrl } });
  const result = await runCommand(["peers", "--data-dir", dataDir]);
  expect([result.code, result.stderr]).toEqual([5, expect.stringContaining("No node of yours runs")]);
  await writeFile(join(dataDir, "endpoint.json"), "nonsense");
  await using again = await startNode({ dataDir, port: node.port, env: ENVIRONMENT });
  expect((await runCommand(["peers", "--data-dir", dataDir])).code).toBe(0);
  expect(await again.stop()).toBe(0);
});
