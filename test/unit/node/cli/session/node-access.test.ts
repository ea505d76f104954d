// Which node a command talks to, and what it shows it: never a secret to a node that it does not belong to, never one in an output.
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCommandLine } from "#node/cli/program.ts";
import { runningNodes } from "#node/config/files/running-nodes.ts";
import { formatLocalEndpoint } from "#shared/desktop/local-endpoint.ts";
import { fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

const ACCOUNT = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
const SECRET = "5e".repeat(32);
const URL = "http://127.0.0.1:4123";

let folder: TemporaryFolder;
let endpoint = "";
beforeEach(async () => {
  folder = await createTemporaryFolder();
  endpoint = join(folder.path, "endpoint.json");
  await writeEndpoint(endpoint);
});
afterEach(() => folder.remove());

async function writeEndpoint(path: string, pid = process.pid): Promise<void> {
  await writeFile(path, formatLocalEndpoint({ chainId: "test", apps: null, node: { url: URL, secret: SECRET }, pid }), { mode: 0o600 });
}

interface Outcome {
  readonly code: number;
  /** Origin and token of each request. */
  readonly sent: readonly (readonly [string, string | undefined])[];
  readonly output: string;
}

async function run(args: readonly string[], apiToken?: string): Promise<Outcome> {
  const sent: (readonly [string, string | undefined])[] = [];
  const context = fakeCommandContext({
    ...(apiToken === undefined ? {} : { environment: { apiToken } }),
    fetch: async (url, { headers }) => {
      sent.push([new globalThis.URL(url).origin, headers?.authorization]);
      return { status: 401, text: async () => '{"error":"no"}' };
    },
  });
  const ownNodes = (place: Parameters<typeof runningNodes>[0]): ReturnType<typeof runningNodes> =>
    runningNodes(place?.dataDir === undefined && place?.endpointFile === undefined ? { endpointFile: endpoint } : place);
  const code = await runCommandLine(args, { ...context, ownNodes }, () => Promise.reject(new Error("no node was asked for")));
  return { code, sent, output: [...context.out, ...context.err].join("\n") };
}

describe("a command", () => {
  it("finds the running node of its user and shows it that node's secret, also beside a variable for another one", async () => {
    for (const args of [[], ["--endpoint", endpoint], ["--node", URL], ["--node", `${URL}/`]]) {
      const { sent, output } = await run(["balance", ACCOUNT, ...args], "variable");
      expect([args, sent.at(-1)]).toEqual([args, [URL, `Bearer ${SECRET}`]]);
      expect(output).not.toContain(SECRET);
    }
  });

  it("shows the secret to no other address", async () => {
    for (const node of ["http://localhost:4123", "http://127.0.0.1:4124", "https://127.0.0.1:4123", "http://127.0.0.1.example:4123"]) {
      expect((await run(["balance", ACCOUNT, "--node", node, "--endpoint", endpoint])).sent.at(-1)).toEqual([node, undefined]);
      expect((await run(["balance", ACCOUNT, "--node", node], "variable")).sent.at(-1)).toEqual([node, "Bearer variable"]);
    }
  });

  it("takes a token from a file, before all others, and none from its arguments", async () => {
    const tokenFile = join(folder.path, "token");
    await writeFile(tokenFile, "from-file\r\nsecond line\n");
    const { sent, output } = await run(["balance", ACCOUNT, "--token-file", tokenFile], "variable");
    expect(sent.at(-1)).toEqual([URL, "Bearer from-file"]);
    expect(output).not.toContain("from-file");
    const refused = await run(["balance", ACCOUNT, "--token", "on-the-line"]);
    expect(refused).toMatchObject({ code: 2, sent: [], output: expect.stringContaining("--token-file FILE") });
    expect(refused.output).not.toContain("on-the-line");
  });

  it.each(["", "\n", "two words\n", "tükisch\n", `${"x".repeat(5_000)}\n`, "nul\0\n"])(
    "refuses a file of which the first line is no token: %j",
    async (text) => {
      const tokenFile = join(folder.path, "token");
      await writeFile(tokenFile, text);
      const { code, sent, output } = await run(["balance", ACCOUNT, "--token-file", tokenFile]);
      expect([code, sent]).toEqual([2, []]);
      expect(output).toBe(`The first line of ${tokenFile} is no token.`);
    },
  );

  it("goes to no node by a file that others could have made or read", async () => {
    const linked = join(folder.path, "linked.json");
    await symlink(endpoint, linked);
    const open = join(folder.path, "open");
    await mkdir(open);
    await chmod(open, 0o755);
    await writeEndpoint(join(open, "endpoint.json"));
    await chmod(endpoint, 0o640);
    for (const path of [endpoint, linked, join(open, "endpoint.json"), join(folder.path, "missing.json")]) {
      const { code, sent, output } = await run(["balance", ACCOUNT, "--endpoint", path]);
      expect([path, code, sent]).toEqual([path, 5, []]);
      expect(output).toContain(`No node of yours runs by ${path}`);
    }
  });

  it("is not misled by the file of a process that is gone, nor by two places at once", async () => {
    await writeEndpoint(endpoint, 2 ** 22 + 1);
    expect(await run(["balance", ACCOUNT, "--endpoint", endpoint])).toMatchObject({ code: 5, sent: [] });
    expect((await run(["balance", ACCOUNT])).sent.at(-1)).toEqual(["http://127.0.0.1:8080", undefined]);
    expect(await run(["balance", ACCOUNT, "--endpoint", endpoint, "--data-dir", folder.path])).toMatchObject({ code: 2, sent: [] });
  });
});
