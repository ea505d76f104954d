// How an agent is reached and opened besides its socket and its password file: the port for containers, the credential of systemd, and a
// connection that rests since the folder was put back.
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SECRET_HEADER } from "#node/gateway/http/caller-checks.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { findFreePort } from "#test/support/nodes/free-port.ts";
import { runParley } from "#test/support/nodes/run-program.ts";
import { AGENT_PASSWORD, type AgentResponse, RunningAgent } from "#test/support/nodes/running-agent.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";

let folder: TemporaryFolder;
let node: RunningNode;
let agent: RunningAgent;
let till: string;

beforeAll(async () => {
  folder = await createTemporaryFolder("parley-agent-access-");
  node = await startNode({ dataDir: join(folder.path, "node") });
  agent = new RunningAgent(join(folder.path, "agent"), node.baseUrl);
  await agent.init(async (address) => {
    const { code, stderr } = await runParley(["faucet", "--to", address, "--amount", "20T", "--wait", "--node", node.baseUrl]);
    if (code !== 0) throw new Error(stderr);
  });
  till = await agent.allow("till", ["pay:each=2T,total=3T/day,to=any"]);
}, 120_000);

afterAll(async () => {
  await agent?.stop();
  await node?.stop();
  await folder?.remove();
});

async function connections(): Promise<readonly { readonly id: string; readonly resting: boolean }[]> {
  const { stdout } = await agent.command(["list"]);
  return JSON.parse(stdout).connections;
}

const PAY_UNTIL = Math.floor(Date.now() / 1000) + 3_600;

function pay(key: string): Promise<AgentResponse> {
  return agent.order("/apps/v1/payments", till, { to: agent.address, amount_ut: 1_000, idempotency_key: key, not_after: PAY_UNTIL });
}

it("leaves no connection behind whose token could not be stored", async () => {
  const before = await connections();
  const out = join(folder.path, "missing", "token");
  const refused = await agent.attempt(["allow", "--node", node.baseUrl, "--name", "lost", "--scope", "read", "--out", out]);
  expect(refused).toMatchObject({ code: expect.not.toBeOneOf([0, null]), stderr: expect.stringContaining("cannot be used") });
  expect(await connections()).toEqual(before);
  // The name is free.
  await agent.allow("lost", ["read"]);
  const lost = (await connections()).find(({ id }) => !before.some((other) => other.id === id));
  await agent.command(["end", lost?.id ?? ""]);
});

describe("the port for containers", () => {
  it("answers requests with the secret of the folder alone", async () => {
    const port = await findFreePort();
    await agent.start("messages", { listen: `127.0.0.1:${port}` });
    try {
      const secret = readFileSync(join(agent.dir, "listen-secret"), "utf8").trim();
      const ask = async (headers: Record<string, string>): Promise<number | undefined> => {
        const all = { host: "parley", authorization: `Bearer ${till}`, ...headers };
        const sent = request({ host: "127.0.0.1", port, path: "/apps/v1/me", agent: false, headers: all }).end();
        const [response] = (await once(sent, "response")) as [IncomingMessage];
        response.resume();
        return response.statusCode;
      };
      expect(await ask({ [SECRET_HEADER]: secret })).toBe(200);
      expect(await ask({})).toBe(403);
      expect(await ask({ [SECRET_HEADER]: secret.replace(/./, (first) => (first === "0" ? "1" : "0")) })).toBe(403);
      expect(await ask({ [SECRET_HEADER]: secret, authorization: "Bearer parley_app_1_none" })).toBe(401);
      // A page of a browser, which sends its origin.
      expect(await ask({ [SECRET_HEADER]: secret, origin: `http://127.0.0.1:${port}` })).toBe(403);
    } finally {
      await agent.stop();
    }
    await agent.start("messages", { listen: `127.0.0.1:${port}` });
    await agent.stop();
  }, 120_000);

  it("is of the loopback interface alone", async () => {
    const refused = await agent.attempt(["run", "--node", node.baseUrl, "--listen", "0.0.0.0:7070"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("loopback") });
  });
});

describe("the credential of systemd", () => {
  const list = (credentials: string): ReturnType<typeof runParley> =>
    runParley(["agent", "list", "--dir", agent.dir, "--json"], { env: { CREDENTIALS_DIRECTORY: credentials } });

  it("opens the agent, and a wrong or missing one does not", async () => {
    const credentials = join(folder.path, "credentials");
    mkdirSync(credentials);
    expect(await list(credentials)).toMatchObject({ stdout: "", stderr: expect.stringContaining("needs its password") });
    writeFileSync(join(credentials, "parley-password"), `${AGENT_PASSWORD}\n`);
    expect(await list(credentials)).toMatchObject({ code: 0, stdout: expect.stringContaining('"name":"till"') });
    writeFileSync(join(credentials, "parley-password"), "another password of theirs\n");
    const wrong = await list(credentials);
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).not.toContain("another password");
  }, 60_000);
});

describe("a folder that is put back", () => {
  it("makes its connections rest until they are confirmed for the password", async () => {
    const files = join(agent.dir, "keyring");
    const copy = join(folder.path, "older");
    cpSync(files, copy, { recursive: true });
    await agent.start();
    expect(await pay("payment-00000001")).toMatchObject({ status: 200 });
    await agent.stop();
    rmSync(files, { recursive: true });
    cpSync(copy, files, { recursive: true });
    await agent.start();
    const refused = await pay("payment-00000002");
    expect(refused).toMatchObject({ status: 423, body: { code: "APP_LOCKED", details: { rest: true } } });
    const [{ id = "" } = {}] = await connections();
    expect(await connections()).toMatchObject([{ resting: true }]);
    const other = `${folder.path}/other.password`;
    writeFileSync(other, "not the password of it\n", { mode: 0o600 });
    const wrong = await runParley(["agent", "confirm", id, "--dir", agent.dir, "--password-file", other]);
    expect(wrong.code).not.toBe(0);
    expect(await connections()).toMatchObject([{ resting: true }]);
    await agent.command(["confirm", id]);
    expect(await connections()).toMatchObject([{ resting: false }]);
    expect(await pay("payment-00000003")).toMatchObject({ status: 200 });
  });
});
