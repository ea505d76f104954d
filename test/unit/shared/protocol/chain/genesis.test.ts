import { describe, expect, it } from "vitest";
import { type Genesis, genesisHash, parseGenesis } from "#shared/protocol/chain/genesis.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";
import { alice, bob, GENESIS } from "#test/support/worlds/ledger-world.ts";

const HASH = "0f".repeat(32);
const PREVIOUS = { chain_id: "parley-one", height: 7, block_hash: HASH, state_root: HASH, file_hash: HASH, first_root: HASH };
/** A genesis that continues another chain, with fields of `previous` replaced. */
const continued = (changes: object = {}): object => ({ accounts: [], contracts: [], previous: { ...PREVIOUS, ...changes } });

describe("genesis", () => {
  it("may continue another chain, which is part of its hash", () => {
    const genesis = parseGenesis({ ...GENESIS, ...continued() });
    expect(genesis.previous).toEqual(PREVIOUS);
    const hashes = [{}, { height: 8 }, { first_root: "0e".repeat(32) }].map((changes) =>
      genesisHash(parseGenesis({ ...GENESIS, ...continued(changes) })),
    );
    expect(new Set([...hashes, genesisHash({ ...GENESIS, accounts: [], contracts: [] })]).size).toBe(4);
  });

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
    ["previous is a JSON object", { ...continued(), previous: null }],
    ["previous has the unknown field note", continued({ note: "" })],
    ["previous.chain_id", continued({ chain_id: "A b" })],
    ["another one than previous.chain_id", continued({ chain_id: GENESIS.chain_id })],
    ["previous.height", continued({ height: -1 })],
    ["previous.height", continued({ height: "7" })],
    ["previous.block_hash", continued({ block_hash: "0f" })],
    ["previous.state_root", continued({ state_root: HASH.toUpperCase() })],
    ["previous.file_hash", continued({ file_hash: undefined })],
    ["previous.first_root", continued({ first_root: 5 })],
    ["accounts is empty", { ...continued(), accounts: GENESIS.accounts }],
    ["contracts is empty", { ...continued(), contracts: GENESIS.contracts }],
  ])("is refused with a word on %s", (words, change) => {
    const value = change === null || typeof change === "string" ? change : { ...GENESIS, ...change };
    expect(() => parseGenesis(value)).toThrow(words);
  });
});
