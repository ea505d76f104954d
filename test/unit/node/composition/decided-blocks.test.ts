import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { DecidedBlock } from "#node/engine/execution/decided-block.ts";
import { type Block, transactionsRoot } from "#shared/protocol/chain/block.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { type ValidatorSet, validatorsHash } from "#shared/protocol/chain/validators.ts";
import { type Commit, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { startChainNetwork } from "#test/support/chain/chain-network.ts";
import { type Actor, actor } from "#test/support/worlds/ledger-world.ts";

const ZEROS = "00".repeat(32);
const KEY = actor(1);

let directory: string | undefined;
afterEach(() => {
  if (directory !== undefined) rmSync(directory, { recursive: true });
});

/** A block of the next height over false transactions, which the key commits unless its set is another. */
function decided(chainId: string, set: ValidatorSet, signer: Actor, change: Partial<Block> = {}): DecidedBlock {
  const transactions = Array.from({ length: 50 }, (_, index): Transaction => {
    const signature = Buffer.alloc(64, index + 1).toString("base64");
    return {
      id: `x${index}`,
      type: "HEARTBEAT",
      from: KEY.pub,
      to: "",
      amount: 0,
      fee: 1_000,
      payload: "",
      timestamp: "2026-01-01T00:00:00Z",
      signature,
    };
  });
  const hashes = { parentHash: ZEROS, lastCommitHash: ZEROS, stateRoot: ZEROS, receiptsRoot: ZEROS, paramsHash: ZEROS };
  const sets = { validatorsHash: validatorsHash(set), nextValidatorsHash: ZEROS, proposer: KEY.pub, txCount: transactions.length };
  const evidenceRoot = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const header = { version: 2, chainId, height: 1, timeMs: 1, txRoot: transactionsRoot(transactions), evidenceRoot, ...hashes, ...sets };
  const block = { header, transactions, evidence: [], lastCommit: null, ...change };
  const vote = { type: "precommit", height: 1, round: 0, blockHash: headerHash(header) } as const;
  const signatures = [signEd25519(voteSignBytes(chainId, vote), signer.seed)];
  const commit: Commit = { height: 1, round: 0, blockHash: vote.blockHash, bitmap: Uint8Array.of(1), signatures };
  return { block, commit };
}

describe("a block that claims to be decided", () => {
  it("has its transactions checked only when its validators signed it and its body is the one they signed", async () => {
    directory = mkdtempSync(join(tmpdir(), "parley-decided-"));
    using network = startChainNetwork(directory, [KEY]);
    const { genesis, validators, nodes } = network;
    const [node] = nodes;
    if (node === undefined) throw new Error("one node was expected");
    node.chain.engine.stop();
    const checkedBy = async (final: DecidedBlock): Promise<readonly [string, number]> => {
      const before = node.checkedLater;
      return [await node.chain.prepare(final), node.checkedLater - before];
    };
    const honest = decided(genesis.chain_id, validators, KEY);
    const swapped = { ...honest, block: { ...honest.block, transactions: honest.block.transactions.slice(1) } };
    const elsewhere = decided(genesis.chain_id, [{ publicKey: actor(2).pub, bondUt: 1 }], actor(2));
    expect(await checkedBy(decided(genesis.chain_id, validators, actor(2)))).toEqual(["false", 1]);
    expect(await checkedBy(swapped)).toEqual(["false", 1]);
    expect(await checkedBy(elsewhere)).toEqual(["unknown", 0]);
    // The commit's one signature is known by now.
    expect(await checkedBy(honest)).toEqual(["proven", 50]);
    expect(await node.chain.prove(honest)).toBe("proven");
  });
});
