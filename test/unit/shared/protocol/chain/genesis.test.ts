import { describe, expect, it } from "vitest";
import { type Genesis, genesisHash, parseGenesis } from "#shared/protocol/chain/genesis.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";
import { alice, bob, GENESIS } from "#test/support/worlds/ledger-world.ts";

describe("genesis", () => {
  it("is accepted and hashed whatever the order of its fields", () => {
    expect(parseGenesis(GENESIS)).toEqual(GENESIS);
    const reversed = Object.fromEntries(Object.entries(GENESIS).reverse()) as unknown as Genesis;
    expect(genesisHash(reversed)).toBe(genesisHash(GENESIS));
    expect(genesisHash({ ...GENESIS, development: false })).not.toBe(genesisHash(GENESIS));
  });

  it.each<[string, object | null | string]>([
    ["JSON object", null],
    ["JSON object", "x"],
    ["unknown field colour", { colour: 1 }],
    ["chain_id", { chain_id: "Parley" }],
    ["chain_id", { chain_id: "ab" }],
    ["genesis_time", { genesis_time: "2026-01-01" }],
    ["development", { development: "yes" }],
    ["validators", { validators: [] }],
    ["validators", { validators: {} }],
    ["an entry of validators", { validators: [null] }],
    ["unknown field note", { validators: [{ pub_key: alice.pub, bond_ut: 1, note: "" }] }],
    ["not an Ed25519 key", { validators: [{ pub_key: alice.pub.toUpperCase(), bond_ut: 1 }] }],
    ["not an Ed25519 key", { validators: [{ pub_key: `01${"00".repeat(31)}`, bond_ut: 1 }] }],
    ["not an Ed25519 key", { validators: [{ bond_ut: 1 }] }],
    ["listed twice", { accounts: [1, 2].map(() => ({ pub_key: bob.pub, balance_ut: 1 })) }],
    ["balance_ut", { accounts: [{ pub_key: bob.pub, balance_ut: 1.5 }] }],
    ["accounts", { accounts: "none" }],
    ["more than 2^53", { accounts: [{ pub_key: bob.pub, balance_ut: MAX_SUPPLY_UT }] }],
    ["params is", { params: null }],
    ["params.block_reward_ut", { params: { ...GENESIS.params, block_reward_ut: -1 } }],
    ["contracts", { contracts: ["A b"] }],
  ])("is refused with a word on %s", (words, change) => {
    const value = change === null || typeof change === "string" ? change : { ...GENESIS, ...change };
    expect(() => parseGenesis(value)).toThrow(words);
  });
});
