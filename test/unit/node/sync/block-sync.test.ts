import { describe, expect, it } from "vitest";
import type { FinalBlock } from "#node/network/peer-network.ts";
import { AWAKE_MS, LAG_GRACE_MS, REQUEST_TIMEOUT_MS, SLOW_REQUEST_MS, STALL_MS } from "#node/sync/block-sync.ts";
import { RANGE_BLOCKS, WINDOW_BLOCKS } from "#node/sync/block-window.ts";
import { FIRST_CLAIM_MS } from "#node/sync/claim-credit.ts";
import { MAX_REQUESTS_PER_PEER } from "#node/sync/sync-peers.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { receivedBlock } from "#test/support/nodes/test-network.ts";
import { chainOf, honest, type PlayedPeer, SyncBench } from "./sync-bench.ts";

const BLOCKS = chainOf(300);
const LONG = chainOf(WINDOW_BLOCKS + 2);
const [FIRST, SECOND, THIRD] = BLOCKS;
if (FIRST === undefined || SECOND === undefined || THIRD === undefined) throw new Error("a chain of three was expected");

describe("a node that is behind", () => {
  it("fetches from several peers at once, in order, and is live at the end", async () => {
    const bench = new SyncBench();
    for (const name of ["a", "b", "c"]) bench.join(name, honest(BLOCKS), 300);
    expect(bench.sync.status()).toMatchObject({ state: "syncing", targetHeight: 300 });
    await bench.pass(60);
    expect(bench.chain.texts).toEqual(BLOCKS.map((_, index) => String(index + 1)));
    expect(bench.sync.status()).toEqual({ state: "live", targetHeight: 300, reason: null, blocksPerSecond: null, etaSeconds: null });
    expect(new Set(bench.asked.map(({ peer }) => peer))).toEqual(new Set(["a", "b", "c"]));
    expect(bench.mostAtOnce).toBeLessThanOrEqual(MAX_REQUESTS_PER_PEER);
    // Nothing is fetched twice.
    expect(bench.asked.reduce((sum, { count }) => sum + count, 0)).toBe(300);
    expect(bench.reports).toEqual([]);
  });

  it("abstains from the first proven block on, and votes again at the end", async () => {
    const bench = new SyncBench();
    bench.join("a", honest(BLOCKS), 300);
    expect(bench.abstained).toEqual([]);
    await bench.pass(100);
    expect(bench.chain.tip().height).toBe(300);
    expect(bench.abstained[0]).toBe(true);
    expect(bench.abstained.at(-1)).toBe(false);
  });

  it("continues after short responses", async () => {
    const bench = new SyncBench();
    bench.join("a", honest(BLOCKS, 7), 300);
    await bench.pass(600);
    expect(bench.chain.tip().height).toBe(300);
  });

  it("says how fast it is and when it will be done", async () => {
    const bench = new SyncBench();
    bench.delayMs = 500;
    bench.join("a", honest(BLOCKS, 10), 300);
    await bench.pass(3_000);
    const { state, blocksPerSecond, etaSeconds } = bench.sync.status();
    const left = 300 - bench.chain.tip().height;
    expect(state).toBe("syncing");
    expect(blocksPerSecond).toBeGreaterThan(10);
    expect(etaSeconds).toBe(Math.ceil(left / (blocksPerSecond ?? 1)));
  });

  it("asks only peers that still have the blocks", async () => {
    const bench = new SyncBench();
    bench.join("pruned", honest(BLOCKS), 300, 100);
    bench.join("whole", honest(BLOCKS), 300, 1);
    await bench.pass(100);
    expect(bench.chain.tip().height).toBe(300);
    expect(bench.asked.filter(({ peer, from }) => peer === "pruned" && from < 100)).toEqual([]);
  });

  it("neither asks nor believes a peer that has no blocks to serve", async () => {
    const bench = new SyncBench();
    bench.join("light", honest(BLOCKS), 300, 301);
    await bench.pass(STALL_MS + LAG_GRACE_MS);
    expect(bench.sync.status()).toMatchObject({ state: "live", targetHeight: 0 });
    expect(bench.asked).toEqual([]);
    bench.join("full", honest(BLOCKS), 40);
    await bench.pass(100);
    expect(bench.chain.tip().height).toBe(40);
    expect(bench.asked.every(({ peer }) => peer === "full")).toBe(true);
  });
});

describe("a node that is one block behind", () => {
  it("waits for the normal course of things", async () => {
    const bench = new SyncBench();
    bench.join("a", honest(BLOCKS), 1);
    await bench.pass(LAG_GRACE_MS - 10);
    expect(bench.sync.status().state).toBe("live");
    expect(bench.asked).toEqual([]);
    const result = bench.sync.onBlock(receivedBlock(FIRST), "a");
    await bench.pass(LAG_GRACE_MS);
    expect(await result).toBe("accept");
    expect(bench.asked).toEqual([]);
  });

  it("fetches the block when it does not come", async () => {
    const bench = new SyncBench();
    bench.join("a", honest(BLOCKS), 1);
    await bench.pass(LAG_GRACE_MS + 20);
    expect(bench.chain.tip().height).toBe(1);
    expect(bench.sync.status().state).toBe("live");
  });
});

describe("gossiped blocks", () => {
  const outcome = async (bench: SyncBench, final: typeof FIRST): Promise<string> => {
    const result = bench.sync.onBlock(receivedBlock(final), "a");
    await bench.pass(1);
    return await result;
  };

  it("are followed and forwarded when they are next, and when another copy came first", async () => {
    const bench = new SyncBench();
    expect(await outcome(bench, FIRST)).toBe("accept");
    expect(await outcome(bench, FIRST)).toBe("accept");
    expect(bench.chain.tip().height).toBe(1);
  });

  it("are refused when they are forged", async () => {
    const bench = new SyncBench();
    expect(await outcome(bench, { ...FIRST, block: { ...FIRST.block, evidence: [utf8("x")] } })).toBe("reject");
    expect(bench.chain.tip().height).toBe(0);
  });

  it("are kept when they come too early, and the gap is fetched", async () => {
    const bench = new SyncBench();
    bench.join("a", honest(BLOCKS), 0);
    expect(await outcome(bench, THIRD)).toBe("ignore");
    await bench.pass(20);
    expect(bench.chain.tip().height).toBe(3);
    expect(bench.asked).toEqual([{ peer: "a", from: 1, count: 2 }]);
    expect(bench.sync.status().state).toBe("live");
  });

  it("are refused when they come too early and are forged, and are stored only when they are proven", async () => {
    const bench = new SyncBench();
    for (const final of BLOCKS.slice(1, 20)) {
      const { block, commit } = final;
      const header = { ...block.header, validatorsHash: "11".repeat(32) };
      expect(await outcome(bench, { block: { ...block, evidence: [utf8("other")] }, commit })).toBe("reject");
      expect(await outcome(bench, { block, commit: { ...commit, signatures: commit.signatures.map(() => new Uint8Array(64)) } })).toBe(
        "reject",
      );
      // Nothing tells yet whether another set is the one of that height.
      expect(await outcome(bench, { block: { ...block, header }, commit })).toBe("ignore");
    }
    bench.join("b", honest(BLOCKS), 20);
    await bench.pass(50);
    expect(bench.asked).toEqual([{ peer: "b", from: 1, count: 20 }]);
    expect(bench.chain.tip().height).toBe(20);
  });

  it("are not read unless the validators known now have signed their headers", async () => {
    const bench = new SyncBench();
    bench.join("a", honest(BLOCKS), 10);
    await bench.pass(50);
    const read = (): never => {
      throw new Error("the body of a block that proves nothing was read");
    };
    const stranger = "11".repeat(32);
    for (const { block, commit } of BLOCKS.slice(7, 14)) {
      const shout = (header: typeof block.header, other = commit): Promise<string> =>
        bench.sync.onBlock({ header, commit: other, encoded: new Uint8Array(0), read }, "a");
      expect(await shout({ ...block.header, stateRoot: stranger })).toBe("reject");
      expect(await shout(block.header, { ...commit, signatures: commit.signatures.toReversed() })).toBe("reject");
      // A later height may have another set; the next one has not.
      expect(await shout({ ...block.header, validatorsHash: stranger })).toBe(block.header.height <= 11 ? "reject" : "ignore");
    }
  });

  it("cost their bringer when the header is true and the body is not", async () => {
    const bench = new SyncBench();
    for (const { block, commit } of [FIRST, SECOND, THIRD]) {
      const forged = receivedBlock({ block: { ...block, evidence: [utf8("other")] }, commit });
      expect(await bench.sync.onBlock(forged, "a")).toBe("reject");
      expect(await bench.sync.onBlock({ ...forged, read: () => undefined }, "a")).toBe("reject");
    }
    expect(bench.chain.tip().height).toBe(0);
    expect(bench.sync.isBehind).toBe(true);
  });

  it("are not read twice while they wait, nor far above the tip", async () => {
    const bench = new SyncBench();
    const reads: number[] = [];
    const shout = async ({ block, commit }: FinalBlock): Promise<string> => {
      const read = (): typeof block => {
        reads.push(block.header.height);
        return block;
      };
      return await bench.sync.onBlock({ ...receivedBlock({ block, commit }), read }, "a");
    };
    for (const final of [THIRD, THIRD, SECOND, THIRD, ...LONG.slice(WINDOW_BLOCKS - 1)]) expect(await shout(final)).toBe("ignore");
    expect(reads).toEqual([3, 2, WINDOW_BLOCKS]);
  });

  it("are forwarded until three more have followed", async () => {
    const bench = new SyncBench();
    bench.join("a", honest(BLOCKS), 10);
    await bench.pass(50);
    const outcomes: string[] = [];
    for (const final of BLOCKS.slice(5, 10)) outcomes.push(await outcome(bench, final));
    expect(outcomes).toEqual(["ignore", "ignore", "accept", "accept", "accept"]);
  });

  it("cost their bringer when no validators decided them, also when the tip has passed them", async () => {
    const bench = new SyncBench();
    bench.join("a", honest(BLOCKS), 10);
    await bench.pass(50);
    for (const { block, commit } of BLOCKS.slice(7, 10)) {
      const signatures = commit.signatures.map(() => new Uint8Array(64));
      expect(await outcome(bench, { block, commit: { ...commit, signatures } })).toBe("reject");
    }
  });

  it("are ignored when they are old or of another chain", async () => {
    const bench = new SyncBench();
    bench.join("a", honest(BLOCKS), 10);
    await bench.pass(50);
    expect(await outcome(bench, FIRST)).toBe("ignore");
    const [other] = chainOf(10, "other ").slice(-1);
    expect(other === undefined ? "" : await outcome(bench, other)).toBe("ignore");
  });
});

describe("peers that are no help", () => {
  it("one that claims a height it does not have is found out, and the node is live again", async () => {
    const bench = new SyncBench();
    bench.join("honest", honest(BLOCKS.slice(0, 20)), 20);
    bench.join("liar", honest(BLOCKS.slice(0, 20)), 1_000_000);
    await bench.pass(8_000);
    expect(bench.chain.tip().height).toBe(20);
    expect(bench.reports).toContain("liar lie");
    expect(bench.reports.some((report) => report.startsWith("honest"))).toBe(false);
    expect(bench.sync.status()).toMatchObject({ state: "live", targetHeight: 20 });
    // Its further claims change nothing for a while.
    bench.tell("liar", 2_000_000);
    expect(bench.sync.status().state).toBe("live");
  });

  it("one that claims a single block more is found out as well", async () => {
    const bench = new SyncBench();
    bench.join("honest", honest(BLOCKS.slice(0, 20)), 20);
    bench.join("liar", honest(BLOCKS.slice(0, 20)), 21);
    await bench.pass(8_000);
    expect(bench.reports).toContain("liar lie");
    expect(bench.sync.status()).toMatchObject({ state: "live", targetHeight: 20 });
  });

  it("one that serves a block at a time of the many that it claims is found out, one that serves a few is not", async () => {
    const bench = new SyncBench();
    bench.join("drip", honest(BLOCKS, 3), 300);
    await bench.pass(6_000);
    expect(bench.reports).toContain("drip lie");
    const thrifty = new SyncBench();
    thrifty.join("thrifty", honest(BLOCKS, 4), 300);
    await thrifty.pass(6_000);
    expect(thrifty.reports).toEqual([]);
    expect(thrifty.chain.tip().height).toBe(300);
  });

  it("one that claims less than it has does no harm", async () => {
    const bench = new SyncBench();
    bench.join("a", honest(BLOCKS), 50);
    await bench.pass(50);
    bench.tell("a", 3);
    expect(bench.sync.status()).toMatchObject({ state: "live", targetHeight: 50 });
  });

  it("a bad block costs its sender, and comes from another peer", async () => {
    const bench = new SyncBench();
    const forged = BLOCKS.map((final, index) => (index === 40 ? { ...final, block: { ...final.block, evidence: [utf8("x")] } } : final));
    bench.join("bad", honest(forged), 300);
    bench.join("good", honest(BLOCKS), 300);
    await bench.pass(200);
    expect(bench.chain.tip().height).toBe(300);
    expect(bench.reports).toEqual(["bad invalid"]);
  });

  it("whose blocks no validators decided have none of their bodies read", async () => {
    const bench = new SyncBench();
    const forged = BLOCKS.map(({ block, commit }) => ({ block, commit: { ...commit, signatures: commit.signatures.toReversed() } }));
    const otherSet = BLOCKS.map(({ block, commit }) => ({
      block: { ...block, header: { ...block.header, validatorsHash: "11".repeat(32) } },
      commit,
    }));
    const later = BLOCKS.map((final, index) => (index < 20 ? final : (forged[index] ?? final)));
    bench.join("forger", honest(forged), 300);
    bench.join("stranger", honest(otherSet), 300);
    await bench.pass(400);
    expect([bench.read, bench.chain.tip().height]).toEqual([[], 0]);
    expect([...new Set(bench.reports)].sort()).toEqual(["forger invalid", "stranger invalid"]);
    bench.sync.onDisconnected("forger");
    bench.sync.onDisconnected("stranger");
    bench.join("later", honest(later), 300);
    await bench.pass(400);
    expect(bench.chain.tip().height).toBeLessThanOrEqual(20);
    expect(Math.max(0, ...bench.read)).toBeLessThanOrEqual(20);
    bench.join("good", honest(BLOCKS), 300);
    await bench.pass(1_000);
    expect(bench.chain.tip().height).toBe(300);
  });

  it("whose headers are true and whose bodies are not have one body read of each response", async () => {
    const bench = new SyncBench();
    const forged = BLOCKS.map((final) => ({ ...final, block: { ...final.block, evidence: [utf8("x")] } }));
    bench.join("bad", honest(forged), 300);
    await bench.pass(100);
    expect(bench.chain.tip().height).toBe(0);
    expect(bench.read.length).toBeLessThanOrEqual(bench.asked.length);
    expect(bench.reports).toContain("bad invalid");
    expect(bench.sync.isBehind).toBe(true);
  });

  it("a commit that proves nothing costs its sender", async () => {
    const bench = new SyncBench();
    const forged = BLOCKS.map(({ block, commit }) => ({ block, commit: { ...commit, signatures: commit.signatures.toReversed() } }));
    bench.join("bad", honest(forged), 300);
    await bench.pass(50);
    expect(bench.chain.tip().height).toBe(0);
    expect(bench.reports[0]).toBe("bad invalid");
    expect(bench.fatal).toEqual([]);
    bench.join("good", honest(BLOCKS), 300);
    await bench.pass(100);
    expect(bench.chain.tip().height).toBe(300);
  });

  it.each<readonly [string, PlayedPeer]>([
    ["gaps", (from): readonly FinalBlock[] => [BLOCKS[from - 1], BLOCKS[from + 1]].filter((block) => block !== undefined)],
    ["other heights", (): readonly FinalBlock[] => BLOCKS.slice(100, 110)],
    ["more than was asked", (from, count): readonly FinalBlock[] => BLOCKS.slice(from - 1, from + count)],
  ])("answers with %s are malformed", async (_, answer) => {
    const bench = new SyncBench();
    bench.join("bad", answer, 299);
    bench.join("good", honest(BLOCKS), 299);
    await bench.pass(200);
    expect(bench.chain.tip().height).toBe(299);
    expect(new Set(bench.reports)).toEqual(new Set(["bad malformed"]));
  });

  it("a peer that fails is left alone, longer each time", async () => {
    const bench = new SyncBench();
    bench.join("broken", () => new Error("reset"), 300);
    await bench.pass(9_000);
    expect(bench.asked.length).toBeGreaterThan(4);
    expect(bench.asked.length).toBeLessThan(40);
    expect(bench.sync.status().state).toBe("syncing");
  });

  it("a peer that is slow does not hold up the others, and one that never answers pays", async () => {
    const bench = new SyncBench();
    bench.join("silent", () => null, 300);
    bench.join("good", honest(BLOCKS), 300);
    await bench.pass(SLOW_REQUEST_MS + 200);
    expect(bench.chain.tip().height).toBe(300);
    expect(bench.sync.status().state).toBe("live");
    await bench.pass(REQUEST_TIMEOUT_MS);
    expect(new Set(bench.reports)).toEqual(new Set(["silent unresponsive"]));
  });
});

describe("peers that claim heights", () => {
  /** A node that has blocks by its own consensus. */
  const upToDate = async (height: number): Promise<SyncBench> => {
    const bench = new SyncBench();
    void bench.engine.applyBatch(BLOCKS.slice(0, height));
    await bench.pass(5);
    return bench;
  };

  it("change nothing that users see, under whatever number of names they come", async () => {
    const bench = await upToDate(20);
    for (let n = 0; n < 40; n += 1) {
      bench.join(`liar ${n}`, n % 2 === 0 ? (): null => null : honest(BLOCKS.slice(0, 20)), 1_000 + n);
      expect(bench.sync.status().state).toBe("claimed");
      await bench.pass(500);
      if (n > 4) bench.sync.onDisconnected(`liar ${n - 4}`);
      expect(["live", "claimed"]).toContain(bench.sync.status().state);
    }
  });

  it("and are right count once their blocks prove it", async () => {
    const bench = await upToDate(20);
    bench.join("a", honest(BLOCKS, 8), 300);
    const states: string[] = [bench.sync.status().state];
    while (bench.chain.tip().height < 300) {
      await bench.pass(5);
      states.push(bench.sync.status().state);
    }
    expect(states[0]).toBe("claimed");
    const proven = states.indexOf("syncing");
    expect(new Set(states.slice(proven, -2))).toEqual(new Set(["syncing"]));
    expect(states.at(-1)).toBe("live");
    // Its next claim is believed; the one of a peer that lied is not.
    bench.tell("a", 1_000);
    expect(bench.sync.status()).toMatchObject({ state: "syncing", targetHeight: 1_000 });
    await bench.pass(8_000);
    expect(bench.reports).toContain("a lie");
    bench.tell("a", 2_000);
    await bench.pass(31_000);
    expect(["live", "claimed"]).toContain(bench.sync.status().state);
  });

  it("are believed by a node that has just started, but not for long", async () => {
    const bench = new SyncBench();
    bench.join("silent", () => new Promise(() => undefined), 300);
    expect(bench.sync.status().state).toBe("syncing");
    await bench.pass(FIRST_CLAIM_MS);
    expect(bench.sync.status().state).toBe("claimed");
    bench.join("good", honest(BLOCKS, 8), 300);
    await bench.pass(30);
    expect(bench.sync.status().state).toBe("syncing");
  });

  it("do not become right by one false block after four true ones", async () => {
    const bench = await upToDate(20);
    const forged = BLOCKS.map((final, index) => (index < 22 ? final : { ...final, block: { ...final.block, evidence: [utf8("x")] } }));
    bench.join("bad", honest(forged), 300);
    await bench.pass(100);
    expect(bench.reports).toContain("bad invalid");
    expect(bench.chain.tip().height).toBe(22);
    expect(["live", "claimed"]).toContain(bench.sync.status().state);
  });
});

describe("a peer that did not respond in time", () => {
  it("is asked again", async () => {
    const bench = new SyncBench();
    bench.join("a", () => null, 300);
    bench.peers.set("a", honest(BLOCKS));
    await bench.pass(REQUEST_TIMEOUT_MS - 5);
    expect(bench.chain.tip().height).toBe(0);
    await bench.pass(5_000);
    expect(bench.chain.tip().height).toBe(300);
  });
});

describe("a node that cannot get on", () => {
  it("is stalled, with the reason, and votes; it recovers by itself", async () => {
    const bench = new SyncBench();
    bench.join("a", honest(BLOCKS.slice(0, RANGE_BLOCKS)), 300);
    bench.peers.set("a", (from, count) => (from > RANGE_BLOCKS ? new Error("reset") : BLOCKS.slice(from - 1, from - 1 + count)));
    await bench.pass(STALL_MS + 200);
    expect(bench.sync.status()).toMatchObject({
      state: "stalled",
      targetHeight: 300,
      reason: expect.stringContaining(`block ${RANGE_BLOCKS + 1}`),
    });
    expect(bench.abstained.at(-1)).toBe(false);
    bench.peers.set("a", honest(BLOCKS));
    await bench.pass(60_000);
    expect(bench.chain.tip().height).toBe(300);
    expect(bench.sync.status().state).toBe("live");
  });

  it("says what helps where all peers have dropped the next block, once, until one comes that has it", async () => {
    const bench = new SyncBench();
    bench.join("a", honest(BLOCKS), 300, 200);
    bench.join("b", honest(BLOCKS), 290, 101);
    // A light node holds nothing, and one that is behind says nothing of this block.
    bench.join("light", honest([]), 300, 302);
    bench.join("behind", honest([]), 0);
    await bench.pass(3 * STALL_MS);
    const words = "No connected node has block 1 any more: what they keep begins with block 101";
    expect(bench.sync.status()).toMatchObject({ reason: expect.stringContaining(words) });
    expect(bench.warnings).toEqual([expect.stringContaining(words)]);
    expect(bench.asked).toEqual([]);
    bench.join("c", honest(BLOCKS), 300);
    await bench.pass(60_000);
    expect(bench.chain.tip().height).toBe(300);
    expect(bench.warnings).toHaveLength(1);
  });

  it("is live again when the only peer that was ahead goes away", async () => {
    const bench = new SyncBench();
    bench.join("a", () => null, 300);
    expect(bench.sync.status().state).toBe("syncing");
    bench.sync.onDisconnected("a");
    expect(bench.sync.status()).toMatchObject({ state: "live", targetHeight: 0 });
  });

  it("falls back to fetching when it loses touch later", async () => {
    const bench = new SyncBench();
    bench.join("a", honest(BLOCKS), 100);
    await bench.pass(100);
    expect(bench.sync.status().state).toBe("live");
    bench.tell("a", 300);
    expect(bench.sync.status().state).toBe("syncing");
    await bench.pass(200);
    expect(bench.chain.tip().height).toBe(300);
    expect(bench.abstained[0]).toBe(true);
    expect(bench.abstained.at(-1)).toBe(false);
  });
});

describe("after sleep", () => {
  it("votes again when no peer is ahead", async () => {
    const bench = new SyncBench();
    bench.sync.onAwake();
    await bench.pass(AWAKE_MS);
    expect(bench.abstained).toEqual([true, false]);
  });

  it("catches up first when one is", async () => {
    const bench = new SyncBench();
    bench.delayMs = AWAKE_MS + 500;
    bench.sync.onAwake();
    bench.join("a", honest(BLOCKS), 50);
    await bench.pass(AWAKE_MS + 100);
    expect(bench.abstained).toEqual([true]);
    await bench.pass(1_000);
    expect(bench.chain.tip().height).toBe(50);
    expect(bench.abstained.at(-1)).toBe(false);
  });
});

describe("stopping", () => {
  it("ends requests and timers, and follows nothing more", async () => {
    const bench = new SyncBench();
    bench.join("a", honest(BLOCKS), 300);
    bench.sync.stop();
    bench.engine.stop();
    await bench.pass(100);
    expect(bench.chain.tip().height).toBe(0);
    expect(bench.time.pending).toBe(0);
  });
});
