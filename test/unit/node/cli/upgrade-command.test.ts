// parley upgrade: what it signs, what it refuses before it signs, and what it prints.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommandLine } from "#node/cli/program.ts";
import type { HttpFetch } from "#shared/api/client.ts";
import { firstParams, PARAM_NAMES, reachableValues, upgradeId, upgradeOf } from "#shared/protocol/primitives/params.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toHex } from "#shared/util/bytes.ts";
import { fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, CHAIN_ID, GENESIS, START_MS } from "#test/support/worlds/ledger-world.ts";

const PARAMS = { ...firstParams(GENESIS.params), min_fee_ut: 3_000 };
const ID = upgradeId(upgradeOf({ min_fee_ut: 4_000 }, undefined, 50));
const UNKNOWN_ID = upgradeId(upgradeOf({}, 9, 60));
const PROPOSED = { approvals: [], approval_count: 1, approvals_required: 3 };
const PARAMETERS = {
  height: 40,
  params: PARAMS,
  reachable: Object.fromEntries(
    PARAM_NAMES.map((name) => {
      const [least, most] = reachableValues(name, PARAMS[name]);
      return [name, { least, most }];
    }),
  ),
  known_versions: [2],
  pending: { id: "ab".repeat(32), set: {}, version: 9, at_height: 45, approved_at: 1_767_225_600, not_before: 1_767_312_000 },
  proposals: [
    { id: ID, set: { min_fee_ut: 4_000 }, at_height: 50, ...PROPOSED },
    { id: UNKNOWN_ID, set: {}, version: 9, at_height: 60, ...PROPOSED },
    // Hostile: the same change first, for a height that never comes, with as many approvals as it could have.
    { id: "c1".repeat(32), set: { min_fee_ut: 5_000 }, at_height: 9_000_000_000, ...PROPOSED, approval_count: 2 },
    { id: "c2".repeat(32), set: { min_fee_ut: 5_000 }, at_height: 38, ...PROPOSED },
  ],
};

let folder: TemporaryFolder;
let key: string;
beforeAll(async () => {
  folder = await createTemporaryFolder();
  key = join(folder.path, "key.json");
  await writeFile(key, JSON.stringify({ kind: "ed25519", public_key: alice.pub, secret_key: toHex(alice.seed) }));
});
afterAll(() => folder.remove());

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly tx: Transaction | undefined;
}

async function run(line: string, parameters: object = PARAMETERS, isMember = true): Promise<Outcome> {
  let tx: Transaction | undefined;
  const answers: Readonly<Record<string, object>> = {
    "/api/network-info": { chain_id: CHAIN_ID },
    "/api/params": parameters,
    [`/api/node/${alice.pub}`]: isMember ? { validator: { in_set: true } } : {},
  };
  const fetch: HttpFetch = async (url, { body }) => {
    const { pathname } = new URL(url);
    if (pathname === "/api/tx") tx = JSON.parse(body ?? "") as Transaction;
    const answer = pathname === "/api/tx" ? { status: "accepted", id: tx?.id } : answers[pathname];
    return { status: answer === undefined ? 404 : 200, text: async () => JSON.stringify(answer ?? { error: "not found" }) };
  };
  const context = fakeCommandContext({ fetch, environment: {}, nowMs: START_MS });
  const args = line.split(" ");
  const signing = args[1] === "show" ? [] : ["--key", key];
  const code = await runCommandLine([...args, ...signing], context, () => Promise.reject(new Error("no node was asked for")));
  return { code, out: context.out.join("\n"), err: context.err.join("\n"), tx };
}

it.each<readonly [string, object]>([
  ["upgrade propose --set min_fee_ut=6000 --set max_block_txs=8190", { set: { min_fee_ut: 6_000, max_block_txs: 8_190 }, at_height: 41 }],
  ["upgrade propose --set block_reward_ut=25000 --at-height 99", { set: { block_reward_ut: 25_000 }, at_height: 99 }],
  ["upgrade propose --to 3", { set: {}, version: 3, at_height: 41 }],
  ["upgrade propose --cancel", { set: {}, at_height: 41 }],
  ["upgrade propose --set min_fee_ut=5000", { set: { min_fee_ut: 5_000 }, at_height: 38 }],
  ["upgrade propose --set min_fee_ut=4000 --set max_block_txs=8190", { set: { min_fee_ut: 4_000, max_block_txs: 8_190 }, at_height: 41 }],
  ["upgrade propose --set min_fee_ut=4000 --at-height 70", { set: { min_fee_ut: 4_000 }, at_height: 70 }],
  [`upgrade cosign ${ID.slice(0, 6)}`, { set: { min_fee_ut: 4_000 }, at_height: 50 }],
])("%s signs %j, for the smallest fee of the network", async (line, payload) => {
  const { code, err, tx } = await run(line);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(tx).toMatchObject({ type: "UPGRADE", fee: 3_000 });
  expect(decodePayload(tx?.payload ?? "")).toEqual(payload);
});

it.each([
  ["upgrade propose", "--cancel"],
  ["upgrade propose --cancel --set min_fee_ut=6000", "--cancel"],
  ["upgrade propose --set min_fee_ut=6001", "1500 to 6000"],
  ["upgrade propose --set validator_bond_ut=1", "one of"],
  ["upgrade propose --set min_fee_ut=x", "whole number"],
  ["upgrade propose --to 9", "not version 9"],
  [`upgrade cosign ${UNKNOWN_ID}`, "not version 9"],
  ["upgrade cosign ffffffff", "No proposed change"],
  ["upgrade cosign zz", "64 hex"],
  ["upgrade cosign abab", "Nothing is missing"],
  ["upgrade propose --set min_fee_ut=4000", `from height 50 on: approve that with parley upgrade cosign ${ID.slice(0, 8)}`],
])("%s is refused, with %s", async (line, words) => {
  const { code, err, tx } = await run(line);
  expect(code).not.toBe(0);
  expect(err).toContain(words);
  expect(tx).toBeUndefined();
});

it.each([
  ["upgrade propose --cancel", "nothing to cancel"],
  ["upgrade propose --set min_fee_ut=3000", "has these values already"],
  ["upgrade propose --to 2", "has version 2 of the rules already"],
])("%s is refused where nothing waits and it would change nothing, before a fee is paid", async (line, words) => {
  const { code, err, tx } = await run(line, { ...PARAMETERS, pending: undefined });
  expect([code, tx, err]).toEqual([1, undefined, expect.stringContaining(words)]);
});

it("upgrade propose is refused for what is approved and waits, unless it is to come earlier", async () => {
  const pendingFrom = (height: number): object => ({
    ...PARAMETERS,
    pending: { ...PARAMETERS.pending, set: { min_fee_ut: 6_000 }, version: undefined, at_height: height },
  });
  const { code, err, tx } = await run("upgrade propose --set min_fee_ut=6000", pendingFrom(41));
  expect([code, tx, err]).toEqual([1, undefined, expect.stringContaining("Nothing is missing")]);
  expect((await run("upgrade propose --set min_fee_ut=6000", pendingFrom(9_000))).tx).toBeDefined();
});

it.each(["upgrade propose --set min_fee_ut=6000", `upgrade cosign ${ID}`])(
  "%s is refused for a key that is no validator's",
  async (line) => {
    const { code, err, tx } = await run(line, PARAMETERS, false);
    expect([code, tx, err]).toEqual([1, undefined, expect.stringContaining("is no validator")]);
  },
);

it("upgrade show prints parameters, what waits, and that the program lacks a version", async () => {
  const { out } = await run("upgrade show");
  expect(out).toContain("min_fee_ut");
  expect(out).toContain("1500 to 6000");
  expect(out).toContain("approved  version 9 from height 45");
  expect(out).toContain("this program lacks that version");
  expect(out).toContain(`proposed  ${ID.slice(0, 8)}  min_fee_ut 4000 from height 50: 1 of 3 approvals`);
});
