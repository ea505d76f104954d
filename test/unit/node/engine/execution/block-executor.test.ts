import { describe, expect, it } from "vitest";
import type { CommittedBlock } from "#node/queries/chain-events.ts";
import { stateRoot } from "#node/state/state-tree.ts";
import { type Block, decodeBlock, encodeBlock } from "#shared/protocol/chain/block.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { type BlockHeader, headerHash } from "#shared/protocol/chain/header.ts";
import { type Commit, commitHash } from "#shared/protocol/chain/vote.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { type VerifySignature, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import { commitNow, commitOf, openTestChain, type TestChain, type TestChainOptions } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { actor, alice, bob, carol, GENESIS, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";

const NOW = START_MS + 1_000;

const pay = (amount = 100, over: { fee?: number; nowMs?: number } = {}): Transaction =>
  signed(alice, { type: "TRANSFER", to: bob.pub, amount, payload: {}, ...over });

async function withChain(work: (chain: TestChain) => void | Promise<void>, options?: TestChainOptions): Promise<void> {
  await using folder = await createTemporaryFolder();
  using chain = openTestChain(folder.path, options);
  await work(chain);
}

/** Two chains of the same network: the first proposes, the second checks. */
async function withTwo(work: (proposer: TestChain, other: TestChain) => void | Promise<void>, options?: TestChainOptions): Promise<void> {
  await using first = await createTemporaryFolder();
  await using second = await createTemporaryFolder();
  using proposer = openTestChain(first.path);
  using other = openTestChain(second.path, options);
  await work(proposer, other);
}

const travelled = (block: Block): Block => decodeBlock(encodeBlock(block));

function reasonOf(chain: TestChain, block: Block): string {
  const validation = chain.executor.validateBlock(block);
  return validation.isValid ? "valid" : validation.reason;
}

function propose(chain: TestChain, transactions: readonly Transaction[], timeMs = NOW): Block {
  chain.source.pending.push(...transactions);
  return chain.executor.buildBlock({ timeMs, proposer: validator.pub }).block;
}

describe("genesis block", () => {
  it("is at height 0 on the genesis hash, proposed by the first validator", () =>
    withChain(({ executor, database }) => {
      const first = database.blocks.get(0);
      expect(first?.block.header).toMatchObject({ height: 0, timeMs: START_MS, parentHash: genesisHash(GENESIS), proposer: validator.pub });
      expect(first?.commit).toBeNull();
      expect(executor.tip()).toMatchObject({ height: 0, hash: first?.hash, timeMs: START_MS, commit: null });
      expect(executor.tip().nextValidators).toEqual([{ publicKey: validator.pub, bondUt: 1_000_000 }]);
      expect(first?.block.header.stateRoot).toBe(toHex(stateRoot(database.state)));
    }));
});

describe("building", () => {
  it("takes no more transactions once the proposer's own limit is reached, and at least one of any size", () =>
    withChain(({ executor, source }) => {
      source.pending.push(pay(1), pay(2), pay(3));
      const build = (maxBytes: number): number =>
        executor.buildBlock({ timeMs: NOW, proposer: validator.pub, maxBytes }).block.transactions.length;
      expect([1, 300, 2_000_000].map(build)).toEqual([1, 2, 3]);
    }));

  it("takes pending transactions in the order of the source, with the parent's commit", () =>
    withChain((chain) => {
      const [first, second, third] = [pay(1), pay(2), pay(3)];
      chain.commit([first]);
      const block = chain.commit([second, third]);
      expect(block.transactions).toEqual([second, third]);
      expect(block.lastCommit).toEqual(chain.database.blocks.get(1)?.commit);
      expect(block.header.lastCommitHash).toBe(block.lastCommit === null ? "" : commitHash(block.lastCommit));
    }));

  it("has a time of at least the asked one, and after the parent's", () =>
    withChain((chain) => {
      expect(propose(chain, [pay()], START_MS - 5_000).header.timeMs).toBe(START_MS + 1);
      expect(propose(chain, [], START_MS + 70).header.timeMs).toBe(START_MS + 70);
    }));

  it("leaves out and drops what can never be in a block", () =>
    withChain((chain) => {
      const committed = pay();
      chain.commit([committed]);
      const late = pay(1, { nowMs: START_MS - 3_700_000 });
      const good = pay(2);
      const block = propose(chain, [committed, late, good]);
      expect(block.transactions).toEqual([good]);
      expect(chain.source.pending).toEqual([good]);
    }));

  it("keeps what a sender may pay after this block, and drops it when nothing else would change that", () =>
    withChain((chain) => {
      const income = pay(50_000);
      const spending = signed(carol, { type: "TRANSFER", to: alice.pub, amount: 1, payload: {} });
      const unpayable = signed(actor(77), { type: "TRANSFER", to: alice.pub, amount: 1, payload: {} });
      const toCarol = signed(alice, { type: "TRANSFER", to: carol.pub, amount: 50_000, payload: {} });
      expect(propose(chain, [spending, income, toCarol]).transactions).toEqual([income, toCarol]);
      expect(chain.source.pending).toContain(spending);
      chain.source.remove([income.id, toCarol.id, spending.id]);
      expect(propose(chain, [unpayable]).transactions).toEqual([]);
      expect(chain.source.pending).toEqual([]);
    }));

  it("does not take one id twice", () =>
    withChain((chain) => {
      const tx = pay();
      expect(propose(chain, [tx, tx]).transactions).toEqual([tx]);
    }));

  it("never exceeds the limits of a block", () =>
    withChain(
      (chain) => {
        const many = Array.from({ length: 4_100 }, (_, n) => ({ ...pay(1), id: `n-${n}` }));
        const full = propose(chain, many);
        expect(full.transactions).toHaveLength(4_096);
      },
      { verify: () => true, genesis: { ...GENESIS, accounts: [{ pub_key: alice.pub, balance_ut: 100_000_000 }] } },
    ));

  it("has work when something is pending or a heartbeat is due", () =>
    withChain((chain) => {
      expect(chain.executor.hasWork(NOW)).toBe(false);
      expect(chain.executor.hasWork(START_MS + 59_999)).toBe(false);
      expect(chain.executor.hasWork(START_MS + 60_000)).toBe(true);
      chain.source.pending.push(pay());
      expect(chain.executor.hasWork(NOW)).toBe(true);
    }));
});

describe("validating", () => {
  it("accepts an honest block of another node, and commits to the same state", () =>
    withTwo((proposer, other) => {
      for (const transactions of [[pay(1), pay(2)], [pay(3)], []]) {
        const block = travelled(proposer.commit(transactions));
        expect(reasonOf(other, block)).toBe("valid");
        commitNow(other.executor, block, commitOf(block));
        expect(other.executor.tip()).toEqual(proposer.executor.tip());
      }
    }));

  const OTHER_HASH = "11".repeat(32);
  const headers: readonly (readonly [string, Partial<BlockHeader>, string])[] = [
    ["version", { version: 1 }, "version"],
    ["chain id", { chainId: "other" }, "chainId"],
    ["height", { height: 7 }, "height"],
    ["time", { timeMs: START_MS }, "time"],
    ["parent", { parentHash: OTHER_HASH }, "parent"],
    ["last commit hash", { lastCommitHash: OTHER_HASH }, "lastCommitHash"],
    ["transactions root", { txRoot: OTHER_HASH }, "txRoot"],
    ["state root", { stateRoot: OTHER_HASH }, "stateRoot"],
    ["receipts root", { receiptsRoot: OTHER_HASH }, "receiptsRoot"],
    ["validators hash", { validatorsHash: OTHER_HASH }, "validatorsHash"],
    ["next validators hash", { nextValidatorsHash: OTHER_HASH }, "nextValidatorsHash"],
    ["parameters hash", { paramsHash: OTHER_HASH }, "paramsHash"],
    ["number of transactions", { txCount: 1_000 }, "txCount"],
    ["evidence root", { evidenceRoot: OTHER_HASH }, "evidenceRoot"],
    ["proposer, who is no validator", { proposer: alice.pub }, "proposer"],
  ];
  const bodies: readonly (readonly [string, (block: Block) => Partial<Block>, string])[] = [
    ["unknown evidence", (): Partial<Block> => ({ evidence: [Uint8Array.of(1)] }), "evidence"],
    ["a transaction left out", ({ transactions }): Partial<Block> => ({ transactions: transactions.slice(1) }), "Root"],
    ["transactions in another order", ({ transactions }): Partial<Block> => ({ transactions: transactions.toReversed() }), "Root"],
    [
      "a transaction twice",
      ({ transactions: [tx] }): Partial<Block> => ({ transactions: tx === undefined ? [] : [tx, tx] }),
      "known already",
    ],
    ["no commit", (): Partial<Block> => ({ lastCommit: null }), "commit"],
    ["a commit without signatures", (block): Partial<Block> => withCommit(block, { bitmap: Uint8Array.of(0), signatures: [] }), "verify"],
    ["a commit of another block", (block): Partial<Block> => withCommit(block, { blockHash: OTHER_HASH }), "commit"],
    ["a forged commit", (block): Partial<Block> => withCommit(block, { signatures: [new Uint8Array(64)] }), "verify"],
  ];
  const changes: readonly (readonly [string, (block: Block) => Partial<Block>, string])[] = [
    ...headers.map(
      ([name, header, reason]) =>
        [`another ${name}`, (block: Block): Partial<Block> => ({ header: { ...block.header, ...header } }), reason] as const,
    ),
    ...bodies,
  ];

  it.each(changes)("refuses a block with %s", (_, change, reason) =>
    withTwo((proposer, other) => {
      const first = travelled(proposer.commit([pay()]));
      commitNow(other.executor, first, commitOf(first));
      const block = propose(proposer, [pay(1), pay(2)]);
      expect(reasonOf(other, travelled(block))).toBe("valid");
      expect(reasonOf(other, { ...block, ...change(block) })).toContain(reason);
      expect(other.executor.tip().height).toBe(1);
    }),
  );

  function withCommit({ lastCommit }: Block, over: Partial<Commit>): Partial<Block> {
    return { lastCommit: lastCommit === null ? null : { ...lastCommit, ...over } };
  }

  it("accepts another valid commit of the parent than its own", () =>
    withTwo((proposer, other) => {
      const first = travelled(proposer.commit([pay()]));
      commitNow(other.executor, first, commitOf(first, undefined, { round: 3 }));
      expect(reasonOf(other, travelled(propose(proposer, [pay(1)])))).toBe("valid");
    }));

  it("refuses a commit in the first block", () =>
    withTwo((proposer, other) => {
      const block = propose(proposer, [pay()]);
      expect(reasonOf(other, { ...block, lastCommit: commitOf(block) })).toContain("first block");
    }));

  it("accepts an empty block as a heartbeat only", () =>
    withTwo((proposer, other) => {
      expect(reasonOf(other, propose(proposer, [], START_MS + 59_999))).toContain("empty");
      const heartbeat = propose(proposer, [], START_MS + 60_000);
      expect(reasonOf(other, heartbeat)).toBe("valid");
      expect(heartbeat.header.stateRoot).toBe(other.database.blocks.get(0)?.block.header.stateRoot);
    }));

  const forgeries: readonly (readonly [string, Partial<Transaction>, string])[] = [
    ["a forged signature", { signature: toBase64(new Uint8Array(64).fill(1)) }, "signature"],
    ["a changed amount under the same signature", { amount: 99 }, "id"],
    ["an id of forbidden characters", { id: "a b" }, "id"],
    ["the id of a reward", { id: "reward-1" }, "id"],
    ["a negative amount", { id: "own", amount: -5 }, "amount"],
    ["a recipient of another size", { id: "own", to: "aabb" }, "to"],
    ["a signature of another size", { signature: "AAAA" }, "signature"],
  ];

  it.each(forgeries)("refuses a transaction with %s", (_, forgery, reason) =>
    withTwo((proposer, other) => {
      const block = propose(proposer, [pay()]);
      const forged = block.transactions.map((tx) => ({ ...tx, ...forgery }));
      expect(reasonOf(other, { ...block, transactions: forged })).toContain(reason);
    }),
  );

  it("refuses an id that was committed in the last two hours, and only then", () =>
    withChain((chain) => {
      const claim = (nowMs: number): Transaction => ({ ...pay(1, { nowMs }), id: "own-id" });
      chain.commit([claim(START_MS)], NOW);
      const seen = (timeMs: number): boolean => chain.database.seenIds.has("own-id", timeMs);
      expect([seen(NOW + SEEN_WINDOW_MS - 1), seen(NOW + SEEN_WINDOW_MS)]).toEqual([true, false]);
      expect(propose(chain, [claim(NOW + SEEN_WINDOW_MS - 1)], NOW + SEEN_WINDOW_MS - 1).transactions).toEqual([]);
      expect(chain.executor.hasSeenId("own-id")).toBe(true);
    }));

  it("checks no signature again that the source has checked", async () => {
    let checks = 0;
    const counting: VerifySignature = (...input): boolean => {
      checks += 1;
      return verifyZip215(...input);
    };
    await withTwo(
      (proposer, other) => {
        const [known, unknown] = [pay(1), pay(2)];
        other.source.pending.push(known);
        const block = propose(proposer, [known, unknown]);
        expect(reasonOf(other, travelled(block))).toBe("valid");
        expect(checks).toBe(1);
        expect(reasonOf(other, travelled(block))).toBe("valid");
        expect(checks).toBe(1);
        const forged = { ...known, signature: toBase64(new Uint8Array(64).fill(1)) };
        expect(reasonOf(other, { ...block, transactions: [forged, unknown] })).toContain("signature");
      },
      { verify: counting },
    );
  });
});

describe("committing", () => {
  it("tells listeners once the block is durable", () =>
    withChain((chain) => {
      const blocks: CommittedBlock[] = [];
      const heights: (number | undefined)[] = [];
      const stop = chain.executor.onCommit((committed) => {
        blocks.push(committed);
        heights.push(chain.database.blocks.tipHeight(), chain.executor.tip().height);
      });
      const block = chain.commit([pay(7, { fee: 2_000 })]);
      stop();
      chain.commit([pay(8)]);
      expect(blocks).toHaveLength(1);
      expect(heights).toEqual([1, 1]);
      expect(blocks[0]).toMatchObject({
        block,
        hash: headerHash(block.header),
        reward: { to: validator.pub, subsidyUt: 50_000, feesUt: 2_000 },
      });
      expect(blocks[0]?.receipts.map((receipt) => receipt.isOk)).toEqual([true]);
    }));

  it("refuses a commit of another block, and one that does not verify", () =>
    withChain(async (chain) => {
      const block = propose(chain, [pay()]);
      const commit = commitOf(block);
      const wrong = [
        { ...commit, blockHash: "11".repeat(32) },
        { ...commit, height: 2 },
        { ...commit, signatures: [new Uint8Array(64)] },
        commitOf(block, [[0, alice]]),
      ];
      for (const unproven of wrong)
        for (const copy of [block, travelled(block)])
          await expect(chain.executor.apply([{ block: copy, commit: unproven }])).rejects.toThrow("its commit does not prove it");
      expect(chain.database.blocks.tipHeight()).toBe(0);
    }));

  it("executes a block it has not seen before, and refuses an invalid one", () =>
    withTwo(async (proposer, other) => {
      const block = travelled(proposer.commit([pay()]));
      const wrong: Block = { ...block, header: { ...block.header, stateRoot: "11".repeat(32) } };
      await expect(other.executor.apply([{ block: wrong, commit: commitOf(wrong) }])).rejects.toThrow("which is invalid here");
      commitNow(other.executor, block, commitOf(block));
      expect(other.executor.tip()).toEqual(proposer.executor.tip());
    }));

  it("changes nothing when the storage fails in the middle", () =>
    withChain(async (chain) => {
      const block = propose(chain, [pay()]);
      const before = chain.executor.tip();
      const insert = chain.database.explorer.insert;
      chain.database.explorer.insert = (): never => {
        throw new Error("disk gone");
      };
      const decided = { block, commit: commitOf(block) };
      await expect(chain.executor.apply([decided])).rejects.toThrow("disk gone");
      chain.database.explorer.insert = insert;
      expect(chain.executor.tip()).toEqual(before);
      expect(toHex(stateRoot(chain.database.state))).toBe(chain.database.blocks.get(0)?.block.header.stateRoot);
      await chain.executor.apply([decided]);
      expect(chain.executor.tip().height).toBe(1);
    }));
});

describe("reopening", () => {
  it("continues from the stored tip", async () => {
    await using folder = await createTemporaryFolder();
    const first = openTestChain(folder.path);
    first.commit([pay(1)]);
    first.commit([pay(2)]);
    const tip = first.executor.tip();
    first.close();
    using second = openTestChain(folder.path);
    expect(second.executor.tip()).toEqual(tip);
    second.commit([pay(3)]);
    expect(second.executor.tip().height).toBe(3);
  });

  it("refuses the folder of another network, naming both", async () => {
    await using folder = await createTemporaryFolder();
    openTestChain(folder.path).close();
    const other = { ...GENESIS, chain_id: "another-net" };
    expect(() => openTestChain(folder.path, { genesis: other })).toThrow(/belongs to the network parley-test .*not to another-net/);
    openTestChain(folder.path).close();
  });

  it("says that a state other than the tip's is damage", async () => {
    await using folder = await createTemporaryFolder();
    const chain = openTestChain(folder.path);
    chain.commit([pay(1)]);
    const root = chain.database.state.getPage("");
    chain.database.state.apply([], [{ prefix: "", before: root, after: new Uint8Array(4) }]);
    chain.close();
    expect(() => openTestChain(folder.path)).toThrow(/is damaged \(its state is not the one of block 1\)/);
  });
});
