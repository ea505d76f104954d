// parley relay lies, suspend and suspensions: what a node has found, a validator's vote by hand, and what it refuses to sign.
import { mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommandLine } from "#node/cli/program.ts";
import type { HttpFetch } from "#shared/api/client.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toHex } from "#shared/util/bytes.ts";
import { digestLie } from "#test/support/chain/ledger-payloads.ts";
import { fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type Actor, actor, alice, bob, CHAIN_ID, START_MS } from "#test/support/worlds/ledger-world.ts";

const [liar, other, honest] = [actor(21), actor(22), actor(23)];
const evidence = digestLie(liar, START_MS);
const relayOf = ({ pub }: Actor, keeper: object): object => ({
  pub_key: pub,
  address: formatAddress(pub),
  relay: { x25519_pub_key: "ab".repeat(32), fee_per_msg_ut: 0 },
  keeper: { bond_ut: 50_000, standing: "in", ...keeper },
});
const RELAYS = [relayOf(liar, { suspension_votes: 2 }), relayOf(other, { suspended_until: 1_769_817_600 }), relayOf(honest, {})].toSorted(
  (a, b) => ((a as { pub_key: string }).pub_key < (b as { pub_key: string }).pub_key ? -1 : 1),
);

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await createTemporaryFolder();
  for (const [name, { pub, seed }] of Object.entries({ alice, bob }))
    await writeFile(join(folder.path, `${name}.json`), JSON.stringify({ kind: "ed25519", public_key: pub, secret_key: toHex(seed) }));
  mkdirSync(join(folder.path, "data", "consensus"), { recursive: true });
  const forged = { ...digestLie(honest, START_MS), first: evidence.first };
  await writeLies(join("data", "consensus", "lies.json"), [evidence, forged]);
});
afterAll(() => folder.remove());

const writeLies = (name: string, some: readonly object[]): Promise<void> =>
  writeFile(join(folder.path, name), JSON.stringify({ version: 1, lies: some.map((each) => ({ evidence: each, found_at_ms: START_MS })) }));

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly tx: Transaction | undefined;
}

/** `alice` is one of four validators, `bob` is none. */
async function run(...args: readonly string[]): Promise<Outcome> {
  let tx: Transaction | undefined;
  const validators = [alice, actor(11), actor(12), actor(13)].map(({ pub }) => ({ pub_key: pub, address: formatAddress(pub) }));
  const shown = { type: "SUSPEND_RELAY", payload: { evidence } };
  const answers: Readonly<Record<string, object>> = {
    "/api/network-info": { chain_id: CHAIN_ID },
    "/api/validators": { count: 4, validators },
    "/api/params": { params: { min_fee_ut: 3_000 } },
    "/api/tx/tx1shown": shown,
    "/api/tx/tx1paid": { type: "TRANSFER", payload: { memo: "x" } },
  };
  const fetch: HttpFetch = async (url, { body }) => {
    const { pathname, searchParams } = new URL(url);
    const after = searchParams.get("after") ?? "";
    const limit = Number(searchParams.get("limit"));
    if (pathname === "/api/tx") tx = JSON.parse(body ?? "") as Transaction;
    const relays = RELAYS.filter((relay) => (relay as { pub_key: string }).pub_key > after).slice(0, limit);
    const answer = { ...answers, "/api/relays": relays, "/api/tx": { status: "accepted", id: tx?.id } }[pathname];
    return { status: answer === undefined ? 404 : 200, text: async () => JSON.stringify(answer ?? { error: "not found" }) };
  };
  const context = fakeCommandContext({ fetch, environment: {}, nowMs: START_MS });
  const code = await runCommandLine([...args], context, () => Promise.reject(new Error("no node was asked for")));
  return { code, out: context.out.join("\n"), err: context.err.join("\n"), tx };
}

const dataDir = (): string => join(folder.path, "data");
const keyOf = (name: string): readonly string[] => ["--key", join(folder.path, `${name}.json`)];
const fileOf = (path = join(dataDir(), "consensus", "lies.json")): readonly string[] => ["--file", path];

describe("parley relay lies", () => {
  it("prints what the node has found, with the votes so far", async () => {
    const { code, out } = await run("relay", "lies", ...fileOf());
    expect(code).toBe(0);
    expect(out.split("\n")).toHaveLength(3);
    expect(out).toMatch(new RegExp(`${formatAddress(liar.pub)} +7 +2026-01-01T00:00:00Z +2 of 3 votes`));
    const { count, lies } = JSON.parse((await run("relay", "lies", ...fileOf(), "--json")).out) as { count: number; lies: object[] };
    expect([count, lies[0]]).toEqual([2, expect.objectContaining({ relay: liar.pub, slot: 7, evidence, state: "2 of 3 votes" })]);
  });

  it("says so where there are none, and where a file holds something else", async () => {
    await writeLies("none.json", []);
    expect((await run("relay", "lies", ...fileOf(join(folder.path, "none.json")))).out).toBe("No lies.");
    expect((await run("relay", "lies", ...fileOf(join(folder.path, "missing.json")))).code).not.toBe(0);
    const { code, err } = await run("relay", "lies", ...fileOf(join(folder.path, "alice.json")));
    expect([code === 0, err.includes("holds no evidence against relays")]).toEqual([false, true]);
  });
});

describe("parley relay suspend", () => {
  it.each([
    ["a file", fileOf],
    ["a transaction", (): readonly string[] => ["--shown", "tx1shown"]],
  ])("votes with the evidence of %s, for no fee", async (_from, source) => {
    const { code, out, tx } = await run("relay", "suspend", formatAddress(liar.pub), ...keyOf("alice"), ...source());
    expect([code, tx]).toEqual([0, expect.objectContaining({ type: "SUSPEND_RELAY", from: alice.pub, fee: 0, amount: 0 })]);
    expect(decodePayload(tx?.payload ?? "")).toEqual({ evidence });
    expect(out).toContain("Vote to suspend");
  });

  it("pays the fee that is named, and shows evidence for the least one where the key is no validator's", async () => {
    expect((await run("relay", "suspend", liar.pub, ...keyOf("alice"), ...fileOf(), "--fee", "5000")).tx?.fee).toBe(5_000);
    const { out, tx } = await run("relay", "suspend", liar.pub, ...keyOf("bob"), ...fileOf());
    expect([tx?.fee, out.includes("which is no vote")]).toEqual([3_000, true]);
  });

  it.each([
    ["a relay of which there is none", other.pub, fileOf, "There is no evidence against"],
    ["what the relay has not signed", honest.pub, fileOf, "has not signed both digests"],
    ["a transaction of another kind", liar.pub, (): readonly string[] => ["--shown", "tx1paid"], "shows no evidence against a relay"],
  ])("signs nothing for %s", async (_what, relay, source, problem) => {
    const { code, err, tx } = await run("relay", "suspend", relay, ...keyOf("alice"), ...source());
    expect([code === 0, tx, err.includes(problem)]).toEqual([false, undefined, true]);
  });
});

it("parley relay suspensions prints who is suspended, and votes, and no other relay", async () => {
  const { code, out } = await run("relay", "suspensions");
  expect([code, out.split("\n").length]).toEqual([0, 3]);
  expect(out).toMatch(new RegExp(`${formatAddress(liar.pub)} +2 of 3 votes`));
  expect(out).toMatch(new RegExp(`${formatAddress(other.pub)} +suspended until 2026-01-31`));
  expect(JSON.parse((await run("relay", "suspensions", "--json")).out)).toMatchObject({ count: 2, votes_needed: 3 });
});
