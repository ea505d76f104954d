// Proofs over HTTP, checked by a second implementation: what is there, what is not, and every way to bend them.
import { decode } from "cborg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Output } from "#shared/api/api.ts";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { fromHex, fromUtf8, toHex } from "#shared/util/bytes.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { CONTRACTS_GENESIS, callNative } from "#test/support/chain/contract-calls.ts";
import { provesState, provesTransaction } from "#test/support/codec/proof-checker.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { actor, alice, bob, carol, deviceKey, signed, validator } from "#test/support/worlds/ledger-world.ts";

const REGISTRY = nativeContractId("username_registry");
const members = [validator, actor(10), actor(11), actor(12)];
const trusted = new Set(members.map(({ pub }) => pub));
const genesis = { ...CONTRACTS_GENESIS, validators: members.map(({ pub }) => ({ pub_key: pub, bond_ut: 1_000_000 })) };

let world: ApiWorld;
let client: NodeClient;
let payments: readonly Transaction[];

beforeAll(async () => {
  world = await createApiWorld({ genesis, validators: members });
  client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
  payments = Array.from({ length: 13 }, (_, n) =>
    signed(alice, { type: "TRANSFER", to: n === 0 ? bob.pub : actor(100 + n).pub, amount: 1 + n, payload: {} }),
  );
  const others = [
    signed(bob, { type: "REGISTER_KEY", payload: { x25519_pub_key: deviceKey(50), nickname: "Bob" } }),
    callNative(alice, "username_registry", "register", { args: ["alice"], amountUt: 10_000 }),
  ];
  for (const tx of [...payments, ...others]) await client.submitTransaction({ body: tx });
  world.commit();
  await client.submitTransaction({ body: signed(alice, { type: "TRANSFER", to: bob.pub, amount: 7, payload: {} }) });
  world.commit();
});
afterAll(() => world[Symbol.asyncDispose]());

describe("proofs of state", () => {
  it("show an account, an identity and a value of a contract under the newest signed block", async () => {
    const account = await client.proveAccount({ pubkey: formatAddress(bob.pub) });
    expect(provesState(account, trusted)).toBe(true);
    expect(account).toMatchObject({ chain_id: genesis.chain_id, namespace: "account", key_hex: bob.pub, block: { index: 2 } });
    expect(account.block.hash).toBe((await client.getBlock({ index: 2 })).hash);
    const [balance, historyCount] = decode(fromHex(account.value_hex ?? "")) as [number, number];
    expect(await client.getAddress({ addr: bob.pub })).toMatchObject({ balance_ut: balance, tx_count: historyCount });

    const identity = await client.proveIdentity({ pubkey: bob.pub });
    expect(provesState(identity, trusted)).toBe(true);
    expect(decode(fromHex(identity.value_hex ?? ""))).toEqual([Uint8Array.from(fromHex(deviceKey(50))), "Bob"]);

    const username = await client.proveContractState({ contractID: REGISTRY.toUpperCase(), key: "name:alice" });
    expect(provesState(username, trusted)).toBe(true);
    expect(fromUtf8(fromHex(username.value_hex ?? ""))).toBe(alice.pub);
  });

  it("show what is absent: accounts, identities, keys and contracts", async () => {
    const absent = [
      ...(await Promise.all(
        Array.from({ length: 40 }, (_, n) => client.proveAccount({ pubkey: toHex(new Uint8Array(32).fill(150 + n)) })),
      )),
      await client.proveIdentity({ pubkey: carol.pub }),
      await client.proveContractState({ contractID: REGISTRY, key: "name:none" }),
      await client.proveContractState({ contractID: "0".repeat(16), key: "x" }),
    ];
    for (const proof of absent) {
      expect(proof.value_hex).toBeNull();
      expect(provesState(proof, trusted)).toBe(true);
    }
    // Both forms of an empty place occur: nothing, and the leaf of another key.
    expect(new Set(absent.map(({ other_leaf }) => other_leaf === null))).toEqual(new Set([true, false]));
  });

  it("hold nothing when anything of them is changed", async () => {
    const present = await client.proveAccount({ pubkey: alice.pub });
    const absent = await client.proveIdentity({ pubkey: carol.pub });
    const account = await client.proveAccount({ pubkey: bob.pub });
    const { commit_hex: commit, validators } = present.block;
    const bent: readonly Output<"proveAccount">[] = [
      { ...present, value_hex: account.value_hex },
      { ...present, value_hex: null },
      { ...present, key_hex: bob.pub },
      { ...present, namespace: "identity" },
      { ...present, chain_id: "another" },
      { ...present, siblings: present.siblings.slice(1) },
      { ...present, siblings: present.siblings.toReversed() },
      { ...absent, value_hex: present.value_hex },
      { ...absent, key_hex: bob.pub },
      { ...present, block: { ...present.block, hash: "0".repeat(64) } },
      { ...present, block: { ...present.block, header_hex: present.block.header_hex.replace(/..$/, "00") } },
      { ...present, block: { ...present.block, commit_hex: commit?.replace(/.{8}$/, "00000000") ?? null } },
      { ...present, block: { ...present.block, validators: validators.slice(1) } },
      { ...present, block: { ...present.block, validators: validators.map((member) => ({ ...member, bond_ut: 1 })) } },
    ];
    for (const [n, proof] of bent.entries()) expect([n, provesState(proof, trusted)]).toEqual([n, false]);
    expect(provesState(present, new Set([validator.pub]))).toBe(false);
  });

  it.each([
    "/api/proofs/account/x",
    "/api/proofs/identity/x",
    "/api/proofs/contract/x/state/y",
    "/api/proofs/tx/none",
    "/api/proofs/block/3",
    "/api/proofs/tx/reward-1",
    "/api/proofs/other/x",
  ])("do not exist at %s", async (url) => {
    expect((await world.server.app.inject(url)).statusCode).toBe(404);
  });
});

describe("signed blocks", () => {
  it("are those that proofs of transactions rest on; genesis has no signatures", async () => {
    const { block } = await client.proveTransaction({ txid: payments[0]?.id ?? "" });
    expect(await client.proveBlock({ index: 1 })).toEqual(block);
    expect(await client.proveBlock({ index: 0 })).toMatchObject({ index: 0, commit_hex: null });
  });
});

describe("proofs of transactions", () => {
  it("show each transaction of a block and what it did", async () => {
    for (const { id, from, type } of payments) {
      const proof = await client.proveTransaction({ txid: id });
      expect(provesTransaction(proof, trusted)).toBe(true);
      expect(proof).toMatchObject({ tx_id: id, count: 15, block: { index: 1 } });
      const fields = decode(fromHex(proof.transaction_hex)) as readonly unknown[];
      expect([fields[0], fields[1], toHex(fields[2] as Uint8Array)]).toEqual([id, type, from]);
      expect((decode(fromHex(proof.receipt_hex)) as readonly unknown[]).slice(0, 2)).toEqual([id, true]);
    }
  });

  it("hold nothing when anything of them is changed", async () => {
    const [proof, other] = await Promise.all(payments.slice(3, 5).map(({ id }) => client.proveTransaction({ txid: id })));
    if (proof === undefined || other === undefined) throw new Error("There are payments");
    const bent: readonly Output<"proveTransaction">[] = [
      { ...proof, transaction_hex: other.transaction_hex },
      { ...proof, receipt_hex: other.receipt_hex },
      { ...proof, position: other.position },
      { ...proof, count: 3 * proof.count },
      { ...proof, transaction_siblings: other.transaction_siblings },
      { ...proof, receipt_siblings: proof.receipt_siblings.slice(1) },
      { ...proof, block: { ...proof.block, index: 2 } },
    ];
    for (const [n, item] of bent.entries()) expect([n, provesTransaction(item, trusted)]).toEqual([n, false]);
  });
});
