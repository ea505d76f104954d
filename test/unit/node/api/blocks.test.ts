// Blocks by hash, what failed in them and why, and changes of the validator set that wait for approvals.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { APPROVAL_LIFETIME_S } from "#shared/protocol/primitives/limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { callNative } from "#test/support/chain/contract-calls.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { actor, alice, bob, deviceKey, GENESIS, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";

const second = actor(10);
const third = actor(11);
const fourth = actor(12);
const members = [validator, second, third, fourth];
const genesis = {
  ...GENESIS,
  validators: members.map(({ pub }) => ({ pub_key: pub, bond_ut: 1_000_000 })),
  accounts: [...GENESIS.accounts, ...members.map(({ pub }) => ({ pub_key: pub, balance_ut: 1_000_000 }))],
};

let world: ApiWorld;
let client: NodeClient;

async function block(...txs: readonly Transaction[]): Promise<void> {
  for (const tx of txs) await client.submitTransaction({ body: tx });
  world.commit();
}

beforeAll(async () => {
  world = await createApiWorld({ genesis, validators: members });
  client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
});
afterAll(() => world[Symbol.asyncDispose]());

describe("a block", () => {
  it("is found by its hash in either case, with what failed in it and why", async () => {
    const paid = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 3, payload: {} });
    const taken = [bob, alice].map((who) => callNative(who, "username_registry", "register", { args: ["same"], amountUt: 10_000 }));
    const linked = [alice, bob].map((who) =>
      signed(who, { type: "LINK_DEVICE", payload: { x25519_pub_key: deviceKey(60), device_name: "desk" } }),
    );
    await block(paid, ...taken, ...linked);
    const shown = await client.getBlock({ index: 1 });
    const outcomesOf = (txs: readonly Transaction[]): readonly string[] =>
      shown.transactions
        .filter(({ id }) => txs.some((tx) => tx.id === id))
        .map(({ status, error }) => `${status} ${error}`)
        .sort();
    expect(outcomesOf([paid])).toEqual(["ok undefined"]);
    expect(outcomesOf(taken)).toEqual(["failed The contract aborted; its log says why. It said: the username is taken", "ok undefined"]);
    expect(outcomesOf(linked)).toEqual([expect.stringMatching(/^failed .*X25519 key/), "ok undefined"]);
    for (const hash of [shown.hash, shown.hash.toUpperCase()]) expect(await client.getBlockByHash({ hash })).toEqual(shown);
  });

  it.each(["0".repeat(64), "x", "1", "ab", `${"0".repeat(63)}g`])("of the hash %s does not exist", async (hash) => {
    await expect(client.getBlockByHash({ hash })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("pending changes of the validator set", () => {
  const approve = (who: typeof alice, type: "ADD_VALIDATOR" | "REMOVE_VALIDATOR", pub: string): Transaction =>
    signed(who, { type, payload: { pub_key: pub }, nowMs: world.clock.nowMs() });

  it("show who approves, how many are needed, and the candidate's consent", async () => {
    expect(await client.listValidatorProposals({})).toEqual({ count: 0, proposals: [] });
    await block(approve(alice, "ADD_VALIDATOR", alice.pub), approve(second, "ADD_VALIDATOR", alice.pub));
    await block(approve(third, "REMOVE_VALIDATOR", fourth.pub));
    const { count, proposals } = await client.listValidatorProposals({});
    expect(count).toBe(2);
    const [adding, removing] = proposals;
    expect(adding).toMatchObject({
      action: "add",
      pub_key: alice.pub,
      address: formatAddress(alice.pub),
      approval_count: 1,
      approvals_required: 3,
      has_consent: true,
    });
    expect(new Map(adding?.approvals.map(({ pub_key, is_validator }) => [pub_key, is_validator]))).toEqual(
      new Map([
        [alice.pub, false],
        [second.pub, true],
      ]),
    );
    expect(removing).toMatchObject({ action: "remove", pub_key: fourth.pub, approval_count: 1, has_consent: false });
    for (const { approved_at, expires_at } of adding?.approvals ?? []) {
      expect(approved_at).toBeGreaterThanOrEqual(Math.floor(START_MS / 1000));
      expect(expires_at - approved_at).toBe(APPROVAL_LIFETIME_S);
    }
  });

  it("are listed page by page", async () => {
    const first = await client.listValidatorProposals({ limit: 1 });
    expect(first).toMatchObject({ count: 1, next_after: `add:${alice.pub}` });
    const rest = await client.listValidatorProposals({ after: first.next_after?.toUpperCase().replace("ADD", "add") ?? "" });
    expect(rest.proposals.map(({ action, pub_key }) => [action, pub_key])).toEqual([["remove", fourth.pub]]);
    expect(rest.next_after).toBeUndefined();
  });

  it.each(["x", "add", "add:", `del:${"0".repeat(64)}`, `add:${"0".repeat(63)}`])("refuse to begin after %j", async (after) => {
    await expect(client.listValidatorProposals({ after })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("leave out approvals that have expired, and are gone with the last of them", async () => {
    world.clock.advance((APPROVAL_LIFETIME_S - 60) * 1000);
    await block(approve(third, "ADD_VALIDATOR", alice.pub));
    expect((await client.listValidatorProposals({})).proposals[0]?.approvals).toHaveLength(3);
    world.clock.advance(120_000);
    world.commit();
    const { proposals } = await client.listValidatorProposals({});
    expect(proposals.map(({ approvals, has_consent }) => [approvals.map(({ pub_key }) => pub_key), has_consent])).toEqual([
      [[third.pub], false],
    ]);
  });
});
