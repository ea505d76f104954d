// Whether a node votes is decided by proofs: peers that claim heights, and answer when it suits them, cannot silence it.
import { describe, expect, it } from "vitest";
import type { FinalBlock } from "#node/network/peer-network.ts";
import { PROOF_MS } from "#node/sync/abstention.ts";
import { AWAKE_MS, AWAKE_PROOF_MS } from "#node/sync/block-sync.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { receivedBlock } from "#test/support/nodes/test-network.ts";
import { chainOf, honest, SyncBench } from "./sync-bench.ts";

const BLOCKS = chainOf(200);
const INTERVAL_MS = 2_000;
const STEP_MS = 50;

/** A network that decides a block each 2 s, which the node has by its own consensus, and a peer that claims far more. */
class Siege {
  readonly bench = new SyncBench();
  /** Blocks that the network has decided. */
  decided = 10;
  abstainedMs = 0;
  /** States in which users would have seen the node. */
  readonly states = new Set<string>();
  #held: ((blocks: readonly FinalBlock[]) => void)[] = [];
  #heldFrom: number[] = [];

  async begin(): Promise<void> {
    void this.bench.engine.applyBatch(BLOCKS.slice(0, this.decided));
    await this.bench.pass(5);
    this.bench.join("honest", (from, count) => honest(BLOCKS.slice(0, this.decided))(from, count), this.decided);
  }

  /** The peer holds a request until the block is there, and answers others with what `sorry` says. */
  attack(claim: number, sorry: (from: number) => readonly FinalBlock[]): void {
    this.bench.join(
      "evil",
      (from) => {
        if (from !== this.decided + 1) return sorry(from);
        return new Promise((resolve) => {
          this.#held.push(resolve);
          this.#heldFrom.push(from);
        });
      },
      claim,
    );
  }

  /** One block; the peer is quicker than the own quorum, or late. */
  async block(isEarly: boolean): Promise<void> {
    await this.#pass(INTERVAL_MS - STEP_MS);
    this.decided += 1;
    if (isEarly) {
      this.#answer();
      await this.#pass(5);
    }
    const next = BLOCKS[this.decided - 1];
    if (next !== undefined) void this.bench.engine.applyBatch([next]);
    await this.#pass(5);
    this.#answer();
    this.bench.tell("honest", this.decided);
    await this.#pass(STEP_MS - 10);
  }

  get liesReported(): number {
    return this.bench.reports.filter((report) => report === "evil lie").length;
  }

  #answer(): void {
    const from = this.#heldFrom.splice(0);
    for (const [index, resolve] of this.#held.splice(0).entries()) resolve(BLOCKS.slice((from[index] ?? 1) - 1, this.decided));
  }

  async #pass(durationMs: number): Promise<void> {
    for (let leftMs = durationMs; leftMs > 0; leftMs -= STEP_MS) {
      await this.bench.pass(Math.min(STEP_MS, leftMs));
      if (this.bench.abstained.at(-1) === true) this.abstainedMs += Math.min(STEP_MS, leftMs);
      this.states.add(this.bench.sync.status().state);
    }
  }
}

describe("a peer that claims heights and answers when it suits it", () => {
  it.each([
    { name: "always before the own quorum", earlyEvery: 1, servesOld: false },
    { name: "once before it, later behind it", earlyEvery: 1_000, servesOld: false },
    { name: "in turn", earlyEvery: 3, servesOld: false },
    { name: "with old blocks", earlyEvery: 2, servesOld: true },
  ])("does not keep a validator from voting, and loses its standing: $name", async ({ earlyEvery, servesOld }) => {
    const siege = new Siege();
    await siege.begin();
    siege.attack(100_000, (from) => (servesOld ? BLOCKS.slice(from - 1, siege.decided) : []));
    for (let round = 0; round < 30; round += 1) await siege.block(round % earlyEvery === 0);
    expect(siege.bench.chain.tip().height).toBe(siege.decided);
    expect(siege.abstainedMs).toBe(0);
    expect([...siege.states].filter((state) => state !== "live" && state !== "claimed")).toEqual([]);
    expect(siege.liesReported).toBeGreaterThanOrEqual(1);
    expect(siege.bench.reports.filter((report) => report.startsWith("honest"))).toEqual([]);
  });

  it("is not believed for a while after each lie", async () => {
    const siege = new Siege();
    await siege.begin();
    siege.attack(100_000, () => []);
    for (let round = 0; round < 8; round += 1) await siege.block(true);
    expect(siege.liesReported).toBe(1);
    expect(siege.bench.sync.status()).toMatchObject({ state: "live", targetHeight: siege.decided });
  });

  it("does not extend the doubt after sleep either", async () => {
    const siege = new Siege();
    await siege.begin();
    siege.bench.join("evil", () => new Promise(() => undefined), 100_000);
    siege.bench.sync.onAwake();
    await siege.bench.pass(AWAKE_MS + 10);
    expect(siege.bench.abstained.at(-1)).toBe(true);
    // The own chain grows meanwhile.
    void siege.bench.engine.applyBatch(BLOCKS.slice(10, 11));
    await siege.bench.pass(AWAKE_PROOF_MS - AWAKE_MS);
    expect(siege.bench.abstained.at(-1)).toBe(false);
  });
});

describe("a node that is behind", () => {
  it("abstains exactly while a decided block above its tip is proven to it", async () => {
    const bench = new SyncBench();
    bench.join("claims", () => null, 200);
    await bench.pass(1_000);
    expect(bench.abstained).toEqual([]);
    expect(bench.sync.isBehind).toBe(false);
    // Stored ahead of the engine's turn.
    bench.peers.set("claims", honest(BLOCKS));
    bench.join("honest", honest(BLOCKS), 200);
    const seen = new Set<string>();
    bench.engine.onCommit(() => seen.add(bench.sync.isBehind ? "behind" : "level"));
    await bench.pass(2_500);
    expect(bench.chain.tip().height).toBe(200);
    expect(bench.abstained[0]).toBe(true);
    expect(seen).toContain("behind");
    expect(bench.abstained.at(-1)).toBe(false);
    expect(bench.sync.isBehind).toBe(false);
  });

  it("is not behind by blocks whose commits prove nothing", async () => {
    const bench = new SyncBench();
    const forged = BLOCKS.map(({ block, commit }) => ({ block, commit: { ...commit, signatures: commit.signatures.toReversed() } }));
    bench.join("bad", honest(forged), 200);
    await bench.pass(500);
    expect(bench.abstained.includes(true)).toBe(false);
  });

  it("is not behind by a true commit under another header", async () => {
    const bench = new SyncBench();
    const forged = BLOCKS.slice(1).map(({ commit }, index) => ({ block: BLOCKS[index]?.block, commit })) as readonly FinalBlock[];
    bench.join("bad", honest(forged), 199);
    await bench.pass(500);
    expect(bench.abstained.includes(true)).toBe(false);
  });
});

/** A block that is decided, and known to one peer alone: the others wait for the vote of this node. */
describe("a proven block that its bringer takes away again", () => {
  const withOtherBody = ({ block, commit }: FinalBlock): FinalBlock => ({ block: { ...block, evidence: [utf8("junk")] }, commit });
  const [, second, third] = BLOCKS;
  if (second === undefined || third === undefined) throw new Error("A chain of three was expected");

  it("stays here when the same peer serves another block that is none", async () => {
    const bench = new SyncBench();
    void bench.engine.applyBatch(BLOCKS.slice(0, 1));
    await bench.pass(5);
    bench.join("evil", (from) => (from === 2 ? [withOtherBody(second)] : []), 3);
    void bench.sync.onBlock(receivedBlock(third), "evil");
    await bench.pass(100);
    expect(bench.reports).toContain("evil invalid");
    void bench.engine.applyBatch([second]);
    await bench.pass(100);
    expect(bench.chain.tip().height).toBe(3);
    expect(bench.abstained.at(-1)).toBe(false);
  });

  it("takes the place of one of its height that is none", async () => {
    const bench = new SyncBench();
    const true67 = BLOCKS[66];
    if (true67 === undefined) throw new Error("A chain of 200 was expected");
    void bench.engine.applyBatch(BLOCKS.slice(0, 1));
    await bench.pass(5);
    bench.join("silent", () => null, 66);
    bench.join("evil", (from) => (from === 67 ? [withOtherBody(true67)] : null), 67);
    await bench.pass(20);
    expect(bench.asked).toContainEqual({ peer: "evil", from: 67, count: 1 });
    void bench.sync.onBlock(receivedBlock(true67), "evil");
    await bench.pass(100);
    void bench.engine.applyBatch(BLOCKS.slice(1, 66));
    await bench.pass(100);
    expect(bench.chain.tip().height).toBe(67);
    expect(bench.abstained.at(-1)).toBe(false);
  });

  it("silences this node once at one tip, however often it is proven, and whole or not", async () => {
    const bench = new SyncBench();
    void bench.engine.applyBatch(BLOCKS.slice(0, 1));
    await bench.pass(5);
    const [last] = chainOf(700).slice(-1);
    if (last === undefined) throw new Error("A chain of 700 was expected");
    let silentSteps = 0;
    for (let step = 0; step < 3 * (PROOF_MS / 500); step += 1) {
      void bench.sync.onBlock(step % 2 === 0 ? receivedBlock(last) : { ...receivedBlock(third), read: () => undefined }, "evil");
      await bench.pass(490);
      if (bench.abstained.at(-1) === true) silentSteps += 1;
    }
    expect(silentSteps).toBeGreaterThan(0);
    expect(silentSteps).toBeLessThanOrEqual(PROOF_MS / 490 + 1);
    // The next block is a new beginning.
    void bench.engine.applyBatch([second]);
    await bench.pass(20);
    expect(bench.sync.isBehind).toBe(true);
  });

  it("does not silence this node when it has no room for it", async () => {
    const bench = new SyncBench();
    const far = BLOCKS[199];
    if (far === undefined) throw new Error("A chain of 200 was expected");
    void bench.engine.applyBatch(BLOCKS.slice(0, 1));
    await bench.pass(5);
    const blocks = chainOf(700);
    bench.join("evil", () => [], 1);
    void bench.sync.onBlock(receivedBlock(blocks.at(-1) ?? far), "evil");
    await bench.pass(100);
    bench.sync.onDisconnected("evil");
    await bench.pass(PROOF_MS + 100);
    expect(bench.abstained).toContain(true);
    expect(bench.abstained.at(-1)).toBe(false);
    expect(bench.sync.isBehind).toBe(false);
  });
});
