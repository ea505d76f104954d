// The agent's node: found again where it went, and named where it does not answer.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followingClient } from "#agent/network/followed-node.ts";
import { writeEndpointFile } from "#node/config/files/endpoint-file.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { findFreePort } from "#test/support/nodes/free-port.ts";

let folder: TemporaryFolder;
let endpointFile: string;
const servers: Server[] = [];

beforeEach(async () => {
  folder = await createTemporaryFolder("parley-followed-");
  endpointFile = join(folder.path, "endpoint.json");
});

afterEach(async () => {
  for (const server of servers.splice(0)) await end(server);
  await folder.remove();
});

/** A node that answers each request with the secret that it was shown, and is found by the file. */
async function startNode(secret: string): Promise<Server> {
  const server = createServer((request, response) => response.end(JSON.stringify({ shown: request.headers.authorization })));
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeEndpointFile(endpointFile, { chainId: "test", apps: null, node: { url, secret }, pid: process.pid });
  return server;
}

function end(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

describe("the client of a followed node", () => {
  it("finds the node that came back at another port with another secret, at the request after the one that failed", async () => {
    const first = await startNode("one");
    const client = followingClient({ endpointFile });
    expect(await client.getNetstats({})).toEqual({ shown: "Bearer one" });
    await end(first);
    await startNode("two");
    await expect(client.getNetstats({})).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await client.getNetstats({})).toEqual({ shown: "Bearer two" });
  });

  it("finds a node at once that was not there before", async () => {
    const client = followingClient({ endpointFile });
    await expect(client.getNetstats({})).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await startNode("one");
    expect(await client.getNetstats({})).toEqual({ shown: "Bearer one" });
  });

  it("names the address that does not answer", async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const message = `The node at ${url} cannot be reached`;
    await expect(followingClient({ url: `${url}/` }).getNetworkInfo({})).rejects.toMatchObject({ code: "UNAVAILABLE", message });
  });

  it("says that none is found where no file names one", async () => {
    const message = "No node of this user is found";
    await expect(followingClient({ endpointFile }).getNetworkInfo({})).rejects.toMatchObject({ code: "UNAVAILABLE", message });
  });
});
