// A contract by its name at a node that does not have the block of its deployment yet.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCommandLine } from "#node/cli/program.ts";
import type { HttpFetch } from "#shared/api/client.ts";
import { type FakeCommandContext, fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

const ID = "0123456789abcdef";
const ABI = JSON.stringify({ contract: "counter", version: "1", methods: [{ name: "get", args: [], view: true }] });
const OUTCOME = { contract_id: ID, status: "ok", code: "", reason: "", gas_used: 1, logs: [], result_b64: "NQ==", result_text: "5" };

let folder: TemporaryFolder;
let names: string;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  names = join(folder.path, "contract-names.json");
  writeFileSync(names, JSON.stringify({ "test-chain": { counter: ID } }));
});
afterEach(() => folder.remove());

/** A node that has the contract from some request for it on. */
function nodeThatHasItAfter(requests: number): { readonly fetch: HttpFetch; readonly asked: () => number } {
  let asked = 0;
  const answer = (path: string): unknown => {
    if (path === "/api/network-info") return { chain_id: "test-chain", height: 41 };
    if (path.endsWith("/call")) return OUTCOME;
    if (path !== `/api/contracts/${ID}`) return undefined;
    asked += 1;
    return asked > requests ? { contract_id: ID, abi_json: ABI } : undefined;
  };
  return {
    fetch: async (url): ReturnType<HttpFetch> => {
      const found = answer(new URL(url).pathname);
      return { status: found === undefined ? 404 : 200, text: async () => JSON.stringify(found ?? { error: "There is no such contract" }) };
    },
    asked: () => asked,
  };
}

async function view(name: string, fetch: HttpFetch): Promise<{ readonly code: number; readonly context: FakeCommandContext }> {
  const context = fakeCommandContext({ fetch });
  const words = ["contract", "view", name, "get", "--names", names];
  return { code: await runCommandLine(words, context, () => Promise.reject(new Error("no node is started"))), context };
}

describe("a contract that was just deployed", () => {
  it("is waited for at a node that is behind", async () => {
    const { fetch, asked } = nodeThatHasItAfter(3);
    const { code, context } = await view("counter", fetch);
    expect({ code, out: context.out }).toEqual({ code: 0, out: ["5"] });
    expect(asked()).toBe(4);
    const waiting = context.err.filter((line) => line.includes("waiting for the block of its deployment"));
    expect(waiting).toEqual([expect.stringContaining(`counter (${ID})`)]);
  });

  it("is given up in words at a node that never has it", async () => {
    const { fetch, asked } = nodeThatHasItAfter(Number.POSITIVE_INFINITY);
    const { code, context } = await view("counter", fetch);
    expect(code).toBeGreaterThan(0);
    expect(context.err.join("\n")).toContain(`The node is at block 41 and has no counter, which is ${ID} in ${names}`);
    expect([asked() > 20, asked() < 100]).toEqual([true, true]);
  });

  it("is not waited for by an id: nothing says that it was deployed", async () => {
    const { fetch, asked } = nodeThatHasItAfter(3);
    const { code, context } = await view(ID, fetch);
    expect([code > 0, asked()]).toEqual([true, 1]);
    expect(context.err.join("\n")).toContain("There is no such contract");
  });
});
