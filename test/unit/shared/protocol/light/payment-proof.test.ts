// Proofs of payment over a real chain with real signatures: what holds, and what every way to bend a file is called.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { encode } from "#shared/codec/codec.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import { headerCodec } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { commitCodec } from "#shared/protocol/chain/vote.ts";
import { makePaymentProof, pathTo } from "#shared/protocol/light/make-payment-proof.ts";
import {
  formatPaymentProof,
  MAX_PATH_BLOCKS,
  MAX_PAYMENT_PROOF_BYTES,
  type SignedBlockJson,
} from "#shared/protocol/light/payment-proof-file.ts";
import { type ProofRules, type ProofTrust, verifyPaymentProof } from "#shared/protocol/light/verify-payment-proof.ts";
import { merkleProof, merkleRoot } from "#shared/protocol/primitives/merkle.ts";
import { formatTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { encodeReceipt } from "#shared/protocol/transactions/receipt.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { toHex } from "#shared/util/bytes.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { actor, alice, bob, deviceKey, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";
import { BEGIN_MS, blockOf, LIGHT_CHAIN_ID, lightBlockOn, lightChain, lightSet } from "#test/support/worlds/light-world.ts";

const members = [validator, actor(10), actor(11), actor(12)];
const genesis = { ...CONTRACTS_GENESIS, validators: members.map(({ pub }) => ({ pub_key: pub, bond_ut: 1_000_000 })) };
const rules: ProofRules = { verify: createNativeVerifier(), hash: nativeSha256, nowMs: START_MS + 86_400_000_000 };
const own: ProofTrust = { kind: "genesis", genesis };

const payment = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1_500_000, payload: { memo: "Rent for May" } });
const other = signed(bob, { type: "REGISTER_KEY", payload: { x25519_pub_key: deviceKey(50), nickname: "Bob" } });

let world: ApiWorld;
let client: NodeClient;
let text: string;

beforeAll(async () => {
  world = await createApiWorld({ genesis, validators: members });
  client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
  await client.submitTransaction({ body: payment });
  await client.submitTransaction({ body: other });
  world.commit();
  text = await made(payment.id);
});
afterAll(() => world[Symbol.asyncDispose]());

async function made(id: string): Promise<string> {
  const result = await makePaymentProof(
    {
      genesis: await client.getGenesis({}),
      payment: await client.proveTransaction({ txid: id }),
      proveBlock: (index) => client.proveBlock({ index }),
    },
    rules,
  );
  if ("problem" in result) throw new Error(result.problem);
  return result.text;
}

/** The problem of a file with another value at a path of keys; undefined takes it out. */
async function bent(path: string, value: unknown, trust: ProofTrust = own): Promise<string> {
  const file: unknown = JSON.parse(text);
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  const holder = keys.reduce((inner, key) => (inner as Record<string, unknown>)[key], file) as Record<string, unknown>;
  holder[last] = value;
  return await outcome(JSON.stringify(file), trust);
}

async function outcome(of: string, trust: ProofTrust = own, changed: Partial<ProofRules> = {}): Promise<string> {
  const result = await verifyPaymentProof(of, trust, { ...rules, ...changed });
  return result.isProven ? "proven" : result.problem;
}

describe("a proof of payment", () => {
  it("shows payment, memo, fee, block and signers from the genesis alone", async () => {
    const result = await verifyPaymentProof(text, own, rules);
    expect(result).toEqual({
      isProven: true,
      payment: {
        ...{ id: payment.id, from: alice.pub, to: bob.pub, amountUt: 1_500_000, feeUt: payment.fee, memo: "Rent for May" },
        ...{
          chainId: genesis.chain_id,
          genesisHash: genesisHash(genesis),
          height: 1,
          blockHash: (await client.getBlock({ index: 1 })).hash,
        },
        blockTimeMs: Date.parse((await client.getBlock({ index: 1 })).time),
        ...{ signers: 4, validators: 4, trustedHeight: 0, trustedTimeMs: Date.parse(genesis.genesis_time) },
      },
    });
  });

  it("holds by the hash of the genesis that it carries, and by the block as a checkpoint", async () => {
    const { hash } = await client.getBlock({ index: 1 });
    const byHash: ProofTrust = { kind: "genesisHash", hash: genesisHash(genesis) };
    const byBlock = (height: number, blockHash: string): ProofTrust => ({ kind: "checkpoint", checkpoint: { height, hash: blockHash } });
    expect(await outcome(text, byHash)).toBe("proven");
    expect(await outcome(text, byBlock(1, hash))).toBe("proven");
    // Nothing leads from such a block down to a genesis: what the file says of it is not passed on.
    const foreign = text.replace(genesisHash(genesis), "ab".repeat(32));
    expect(await verifyPaymentProof(foreign, byBlock(1, hash), rules)).toMatchObject({ isProven: true, payment: { genesisHash: null } });
    expect(await outcome(text, byBlock(1, "0".repeat(64)))).toBe("otherNetwork");
    expect(await outcome(text, byBlock(2, hash))).toBe("checkpointAbove");
    expect(await bent("genesis", undefined, byHash)).toBe("genesisMissing");
    expect(await bent("genesis.genesis_time", "2026-01-02T00:00:00Z", byHash)).toBe("altered");
  });

  it("is one of another network under another genesis, and of other validators where only the set differs", async () => {
    const foreign = { ...genesis, chain_id: "another-net" };
    expect(await outcome(text, { kind: "genesis", genesis: foreign })).toBe("otherNetwork");
    const forged = { ...genesis, validators: [20, 21, 22, 23].map((n) => ({ pub_key: actor(n).pub, bond_ut: 1_000_000 })) };
    expect(await bent("genesis_hash", genesisHash(forged), { kind: "genesis", genesis: forged })).toBe("otherValidators");
  });

  it("is altered when anything under the header is changed, and unsigned without its signatures", async () => {
    const amount = text.replace("1a0016e360", "1a0016e361");
    expect(amount).not.toBe(text);
    expect(await outcome(amount)).toBe("altered");
    const { commit_hex: commit, validators } = await client.proveBlock({ index: 1 });
    for (const [path, value, problem] of [
      ["payment.position", 1, "altered"],
      ["payment.count", 4, "altered"],
      ["payment.transaction_siblings", [], "altered"],
      ["payment.receipt_siblings", ["00".repeat(32)], "altered"],
      ["payment.chain_id", "another-net", "altered"],
      ["payment.block.validators", validators.slice(1), "altered"],
      ["payment.block.validators.0.bond_ut", 1, "altered"],
      ["payment.block.commit_hex", null, "altered"],
      ["payment.block.commit_hex", commit?.replace(/.{8}$/, "00000000"), "unsigned"],
      ["genesis_hash", "00".repeat(32), "otherNetwork"],
    ] as const)
      expect([path, await bent(path, value)]).toEqual([path, problem]);
  });

  it("is no proof in any other form, at once when it is too large", async () => {
    expect(await bent("version", 2)).toBe("newerFormat");
    const block = await client.proveBlock({ index: 1 });
    for (const [path, value] of [
      ["format", "x"],
      ["path", Array.from({ length: MAX_PATH_BLOCKS + 1 }, () => block)],
      ["path", {}],
      ["payment", []],
      ["payment.tx_id", "tx2"],
      ["payment.transaction_hex", "zz"],
      ["payment.block.header_hex", `${block.header_hex}00`],
      ["payment.position", -1],
      ["payment.transaction_siblings", Array.from({ length: 65 }, () => "00".repeat(32))],
    ] as const)
      expect([path, await bent(path, value)]).toEqual([path, "notAProof"]);
    for (const junk of ["", "null", "[]", "{", '{"format":"parley-payment-proof"}']) expect(await outcome(junk)).toBe("notAProof");
    expect(await outcome(`${text}${" ".repeat(MAX_PAYMENT_PROOF_BYTES)}`)).toBe("tooLarge");
  });

  it("is early before its block, and of newer rules for an older program", async () => {
    expect(await outcome(text, own, { nowMs: 0 })).toBe("early");
    expect(await outcome(text, own, { knownVersions: [0] })).toBe("newerRules");
  });

  it("is made for payments alone", async () => {
    await expect(made(other.id)).rejects.toThrow("notPayment");
  });
});

describe("validators that changed since genesis", () => {
  const sets = [
    [1, 2, 3, 4],
    [1, 2, 3, 4],
    [3, 4, 5, 6],
    [5, 6, 7, 8],
    [7, 8, 9, 10],
  ];
  const chain = lightChain(sets);
  const first = blockOf(chain, 0);
  const bytes = encodeTransaction(payment);
  const receipt = encodeReceipt({ txId: payment.id, isOk: true, code: "", feeUt: payment.fee, gasUsed: 0, logs: [], touched: [] });
  /** The first leaf of both trees. */
  const before = encodeTransaction(other);
  const siblings = merkleProof([before, bytes], 1).siblings.map(toHex);
  const goal = lightBlockOn(blockOf(chain, 3), [7, 8, 9, 10], [7, 8, 9, 10], {
    fields: { txRoot: toHex(merkleRoot([before, bytes])), receiptsRoot: toHex(merkleRoot([before, receipt])), txCount: 2 },
  });
  const proveBlock = async (height: number): Promise<SignedBlockJson> => jsonOf(blockOf(chain, height));
  const begin: Genesis = {
    ...{ ...genesis, chain_id: LIGHT_CHAIN_ID, genesis_time: formatTimestamp(BEGIN_MS) },
    validators: lightSet([1, 2, 3, 4]).map(({ publicKey, bondUt }) => ({ pub_key: publicKey, bond_ut: bondUt })),
  };
  const proof = {
    ...{ chain_id: LIGHT_CHAIN_ID, tx_id: payment.id, position: 1, count: 2, block: jsonOf(goal) },
    ...{ transaction_hex: toHex(bytes), transaction_siblings: siblings, receipt_hex: toHex(receipt), receipt_siblings: siblings },
  };

  it("are led to by blocks in between, each signed by more than a third of the ones before", async () => {
    const path = await pathTo(jsonOf(goal), first, proveBlock);
    expect(path.map(({ index }) => index)).toEqual([2, 3]);
    const result = await makePaymentProof({ genesis: begin, payment: proof, proveBlock }, rules);
    if ("problem" in result) throw new Error(result.problem);
    const trust: ProofTrust = { kind: "genesis", genesis: begin };
    expect(await outcome(result.text, trust)).toBe("proven");
    // The third of three leaves has the way of the second of two: the header's count decides.
    const third = result.text.replace('"position": 1', '"position": 2').replace('"count": 2', '"count": 3');
    expect(await outcome(third, trust)).toBe("altered");
    const file = JSON.parse(result.text) as { path: SignedBlockJson[] };
    for (const [left, problem] of [
      [[1], "otherValidators"],
      [[], "otherValidators"],
      [[1, 0], "otherValidators"],
    ] as const) {
      const cut = { ...file, path: left.map((index) => file.path[index]) };
      expect([left, await outcome(JSON.stringify(cut), trust)]).toEqual([left, problem]);
    }
    const checkpoint = { height: 3, hash: blockOf(chain, 3).hash };
    expect(await outcome(result.text, { kind: "checkpoint", checkpoint })).toBe("proven");
    expect(await outcome(result.text, { kind: "checkpoint", checkpoint: { ...checkpoint, height: 1 } })).toBe("checkpointMissing");
  });

  it("could forge a proof with more than a third of those that are trusted, as the words say", async () => {
    const trust: ProofTrust = { kind: "genesis", genesis: begin };
    const { txRoot, receiptsRoot } = goal.header;
    const forged = (members: readonly number[]): TrustedBlock =>
      lightBlockOn(blockOf(chain, 3), members, members, { fields: { txRoot, receiptsRoot, txCount: 2 } });
    const textOf = (block: TrustedBlock): string =>
      formatPaymentProof({ genesisHash: genesisHash(begin), genesis: begin, path: [], payment: { ...proof, block: jsonOf(block) } });
    expect(await outcome(textOf(forged([1, 20, 21, 22])), trust)).toBe("otherValidators");
    expect(await outcome(textOf(forged([1, 2, 20])), trust)).toBe("proven");
  });

  it("give no file where no way leads to them", async () => {
    const foreign = { ...first, validators: lightSet([20, 21, 22]) };
    await expect(
      pathTo(jsonOf(blockOf(chain, 1)), { ...foreign, header: { ...first.header, nextValidatorsHash: "" } }, proveBlock),
    ).rejects.toThrow("changed too often");
  });
});

function jsonOf({ header, hash, commit, validators }: TrustedBlock): SignedBlockJson {
  return {
    index: header.height,
    hash,
    header_hex: toHex(encode(headerCodec, header)),
    commit_hex: commit === null ? null : toHex(encode(commitCodec, commit)),
    validators: validators.map(({ publicKey, bondUt }) => ({ pub_key: publicKey, bond_ut: bondUt })),
  };
}
