// parley validator rotate-key and consent: what both keys sign, and what is refused before anything is sent.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommandLine } from "#node/cli/program.ts";
import type { HttpFetch } from "#shared/api/client.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toHex } from "#shared/util/bytes.ts";
import { rotationOf } from "#test/support/chain/ledger-payloads.ts";
import { fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type Actor, alice, bob, CHAIN_ID, carol, GENESIS, START_MS } from "#test/support/worlds/ledger-world.ts";

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await createTemporaryFolder();
  for (const [name, actor] of Object.entries({ alice, bob })) await writeFile(fileOf(name), keyOf(actor));
});
afterAll(() => folder.remove());

const fileOf = (name: string): string => join(folder.path, `${name}.json`);
const keyOf = ({ pub, seed }: Actor): string => JSON.stringify({ kind: "ed25519", public_key: pub, secret_key: toHex(seed) });

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly tx: Transaction | undefined;
}

/** `alice` and `bob` stand for their files. */
async function run(line: string, version = 3): Promise<Outcome> {
  let tx: Transaction | undefined;
  const params = { height: 40, params: { ...firstParams(GENESIS.params), version }, reachable: {}, known_versions: [2, 3], proposals: [] };
  const answers: Readonly<Record<string, object>> = { "/api/network-info": { chain_id: CHAIN_ID }, "/api/params": params };
  const fetch: HttpFetch = async (url, { body }) => {
    const { pathname } = new URL(url);
    if (pathname === "/api/tx") tx = JSON.parse(body ?? "") as Transaction;
    const answer = pathname === "/api/tx" ? { status: "accepted", id: tx?.id } : answers[pathname];
    return { status: answer === undefined ? 404 : 200, text: async () => JSON.stringify(answer ?? { error: "not found" }) };
  };
  const context = fakeCommandContext({ fetch, environment: {}, nowMs: START_MS });
  const args = line.split(" ").map((word) => (word === "alice" || word === "bob" ? fileOf(word) : word));
  const code = await runCommandLine(["validator", ...args], context, () => Promise.reject(new Error("no node was asked for")));
  return { code, out: context.out.join("\n"), err: context.err.join("\n"), tx };
}

async function consentOf(present: Actor): Promise<string> {
  const { code, out, err } = await run(`consent ${present.pub} --key bob`);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out;
}

it("signs with both keys where they are on one machine", async () => {
  const { code, out, err, tx } = await run("rotate-key --key alice --new-key bob");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(tx).toMatchObject({ type: "ROTATE_KEY", from: alice.pub });
  expect(decodePayload(tx?.payload ?? "")).toEqual(rotationOf(alice, bob));
  expect(out).toContain("New key of the validator");
});

it("takes the consent of a new key on another machine", async () => {
  const { tx } = await run(`rotate-key --key alice --consent ${await consentOf(alice)}`);
  expect(decodePayload(tx?.payload ?? "")).toEqual(rotationOf(alice, bob));
});

it.each([
  ["without a new key", async (): Promise<string> => "rotate-key --key alice", "--new-key"],
  ["with two", async (): Promise<string> => `rotate-key --key alice --new-key bob --consent ${await consentOf(alice)}`, "--new-key"],
  [
    "with a consent for another validator",
    async (): Promise<string> => `rotate-key --key alice --consent ${await consentOf(carol)}`,
    "not one",
  ],
  ["with another text", async (): Promise<string> => "rotate-key --key alice --consent x", "parley validator consent"],
])("refuses a rotation %s", async (_name, line, words) => {
  const { code, err, tx } = await run(await line());
  expect(code).not.toBe(0);
  expect(err).toContain(words);
  expect(tx).toBeUndefined();
});

it("says how a network gets rotations that has none", async () => {
  const { code, err, tx } = await run("rotate-key --key alice --new-key bob", 2);
  expect(code).not.toBe(0);
  expect(err).toContain("upgrade propose --to 3");
  expect(tx).toBeUndefined();
});
