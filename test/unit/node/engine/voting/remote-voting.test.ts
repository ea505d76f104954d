// A validator whose key is in another process: it votes with what comes in time, abstains otherwise, and never signs what a lock of
// another node, or one that was forgotten, could forbid.
import { beforeEach, describe, expect, it } from "vitest";
import type { ValidatorSigner } from "#node/crypto/validator-signer.ts";
import { comparePositions, type SignedRecord, type SignPosition } from "#node/engine/log/sign-guard.ts";
import { HISTORY_WAIT_MS } from "#node/engine/voting/lost-memory.ts";
import type { RemoteSigner } from "#node/engine/voting/right/remote-signer.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { CHAIN_ID, quickHash } from "#test/support/chain/memory-chain.ts";
import type { VirtualTime } from "#test/support/host/virtual-time.ts";
import { EngineBench } from "../engine-bench.ts";

/** What a signer remembers whose key is new. */
const NOTHING: SignedRecord = {
  position: { height: 0, round: 0, step: "proposal" },
  signBytes: new Uint8Array(),
  signature: new Uint8Array(64),
};

/** A signer that outlives the nodes it serves. Its answers take as long as the test says. */
class PlayedSigner implements RemoteSigner {
  readonly isRemote = true;
  readonly publicKey: string;
  isReady = true;
  delayMs = 1;
  /** No answer counts. */
  isMute = false;
  refreshes = 0;
  last: SignedRecord | undefined = NOTHING;
  readonly signed: SignPosition[] = [];
  readonly #own: ValidatorSigner;
  readonly #time: VirtualTime;
  readonly #listeners = new Set<() => void>();

  constructor(own: ValidatorSigner, time: VirtualTime) {
    this.#own = own;
    this.#time = time;
    this.publicKey = own.publicKey;
  }

  sign(position: SignPosition, signBytes: Uint8Array): Promise<Uint8Array | undefined> {
    const signature = this.isReady ? this.#sign(position, signBytes) : undefined;
    const answer = this.isMute ? undefined : signature;
    const promise = {
      // biome-ignore lint/suspicious/noThenProperty: it stands in for a promise of virtual time
      then: (done: (value: Uint8Array | undefined) => void): void => void this.#time.setTimer(this.delayMs, () => done(answer)),
    };
    return promise as unknown as Promise<Uint8Array | undefined>;
  }

  /** Signs for whoever asks, as the real one does. */
  #sign(position: SignPosition, signBytes: Uint8Array): Uint8Array | undefined {
    const order = this.last === undefined ? 1 : comparePositions(position, this.last.position);
    if (order === 0 && this.last !== undefined && equalBytes(this.last.signBytes, signBytes)) return this.last.signature;
    if (order <= 0) return undefined;
    this.signed.push(position);
    const signature = this.#own.sign(signBytes);
    this.last = { position, signBytes, signature };
    return signature;
  }

  /** Another node gets a signature. */
  signForOther(type: "prevote" | "precommit", height: number, blockHash: string | null): void {
    this.#sign({ height, round: 0, step: type }, voteSignBytes(CHAIN_ID, { type, height, round: 0, blockHash }));
  }

  refresh(): void {
    this.refreshes += 1;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return (): void => void this.#listeners.delete(listener);
  }

  change(isReady = this.isReady): void {
    this.isReady = isReady;
    for (const listener of this.#listeners) listener();
  }
}

let signer: PlayedSigner;
let bench: EngineBench;

function benchOf(size: number, prepare: (played: PlayedSigner) => void = () => undefined): EngineBench {
  let made: PlayedSigner | undefined;
  return new EngineBench({
    size,
    remote: (own, time): PlayedSigner => {
      if (made === undefined) {
        made = new PlayedSigner(own, time);
        prepare(made);
      }
      signer = made;
      return made;
    },
  });
}

/** With a signer that has a key and no memory. */
function benchOfForgetful(isReady = true): EngineBench {
  return benchOf(4, (played) => Object.assign(played, { last: undefined, isReady }));
}

/** The proposal of validator 1 arrives, and what it is about. */
function propose(text: string, round = 0): string {
  const block = bench.block(text, 1);
  bench.receive(bench.proposal(block, round, 1));
  return headerHash(block.header, quickHash);
}

beforeEach(() => {
  bench = benchOf(4);
});

describe("a key in another process", () => {
  it("decides blocks alone, each signature one round trip", () => {
    bench = benchOf(1);
    const engine = bench.start();
    bench.chain.add("first");
    engine.notifyWork();
    bench.time.advance(10);
    expect(bench.chain.tip().height).toBe(1);
    expect(signer.signed.map(({ step }) => step)).toEqual(["proposal", "prevote", "precommit"]);
  });

  it("votes with what comes, and not before it has come", () => {
    signerDelay(300);
    const hash = propose("text");
    expect(bench.ownMessages).toEqual([]);
    bench.time.advance(299);
    expect(bench.ownMessages).toEqual([]);
    bench.time.advance(2);
    expect(bench.ownMessages).toEqual([`prevote 0 ${hash.slice(0, 6)}`]);
  });

  it("goes on without its own vote, and votes again in the next height", () => {
    bench.start();
    signer.isMute = true;
    const hash = propose("text");
    bench.receive(...[1, 2, 3].map((index) => bench.vote("prevote", 0, hash, index)));
    bench.time.advance(5);
    bench.receive(...[1, 2, 3].map((index) => bench.vote("precommit", 0, hash, index)));
    bench.time.advance(5);
    expect(bench.chain.tip().height).toBe(1);
    expect(bench.ownMessages.filter((message) => /vote|commit/.test(message))).toEqual([]);
    signer.isMute = false;
    bench.sent.length = 0;
    const block = bench.block("next", 2);
    bench.receive(bench.proposal(block, 0, 2));
    bench.time.advance(5);
    expect(bench.ownMessages[0]).toMatch(/^prevote 0 /);
    expect(bench.fatal).toEqual([]);
  });

  it("asks again when the signer is back, and gets the same signature", () => {
    bench.start();
    signer.isMute = true;
    const hash = propose("text");
    bench.time.advance(5);
    expect(signer.signed).toHaveLength(1);
    signer.isMute = false;
    signer.change();
    bench.time.advance(5);
    expect(bench.ownMessages).toEqual([`prevote 0 ${hash.slice(0, 6)}`]);
    expect(signer.signed).toHaveLength(1);
  });

  it("drops an answer that comes after its round", () => {
    signerDelay(20_000);
    propose("text");
    bench.receive(...[1, 2, 3].map((index) => bench.vote("prevote", 1, null, index)));
    bench.time.advance(1);
    signer.delayMs = 1;
    bench.time.advance(40_000);
    expect(bench.ownMessages.filter((message) => message.startsWith("prevote 0 ") && !message.endsWith("nil"))).toEqual([]);
    expect(bench.fatal).toEqual([]);
  });

  it("neither votes nor proposes while the signer is away, whatever happens", () => {
    const engine = bench.start();
    signer.change(false);
    expect(engine.status().isVoting).toBe(false);
    bench.chain.add("work");
    engine.notifyWork();
    propose("text");
    bench.time.advance(30_000);
    expect(bench.ownMessages).toEqual([]);
    expect(signer.signed).toEqual([]);
    signer.change(true);
    bench.time.advance(10);
    expect(engine.status().isVoting).toBe(true);
    expect(bench.ownMessages).not.toEqual([]);
  });
});

describe("what the signer signed and this node did not ask for", () => {
  it("keeps it from signing at that height, and not at the next one", () => {
    const engine = bench.start();
    signer.signForOther("prevote", 1, "ab".repeat(32));
    signer.change();
    expect(engine.status().isVoting).toBe(false);
    const hash = propose("text");
    bench.time.advance(5);
    expect(signer.signed).toHaveLength(1);
    bench.receive(...[1, 2, 3].map((index) => bench.vote("prevote", 0, hash, index)));
    bench.receive(...[1, 2, 3].map((index) => bench.vote("precommit", 0, hash, index)));
    bench.time.advance(5);
    expect(bench.chain.tip().height).toBe(1);
    expect(engine.status().isVoting).toBe(true);
  });

  it("is not what it asked for itself before a crash: then the log leads to the same request", () => {
    bench.start();
    signer.delayMs = 5_000;
    const hash = propose("text");
    expect(signer.signed).toHaveLength(1);
    // The signer has signed, and the node ends before the answer.
    bench.sent.length = 0;
    signer.delayMs = 1;
    const engine = bench.start();
    expect(engine.status().isVoting).toBe(true);
    bench.time.advance(5);
    expect(bench.ownMessages).toEqual([`prevote 0 ${hash.slice(0, 6)}`]);
    expect(signer.signed).toHaveLength(1);
  });

  it("is one that it forgot with its log: it does not sign at that height", () => {
    bench.start();
    propose("text");
    bench.time.advance(5);
    const asked = signer.signed.length;
    const empty = new EngineBench({ size: 4, remote: (): PlayedSigner => signer });
    const engine = empty.start();
    expect(engine.status().isVoting).toBe(false);
    const block = empty.block("other", 1);
    empty.receive(empty.proposal(block, 0, 1));
    empty.time.advance(20_000);
    expect(signer.signed).toHaveLength(asked);
    expect(empty.ownMessages).toEqual([]);
  });

  it("is asked about when a block carries it, and kept from signing until the signer remembers it", () => {
    const engine = bench.start();
    const block = bench.block("text", 1);
    const hash = headerHash(block.header, quickHash);
    bench.receive(bench.proposal(block, 0, 1), { type: "commit", commit: bench.commitOf(hash, [0, 1, 2]), block });
    bench.time.advance(5);
    expect(bench.chain.tip().height).toBe(1);
    expect(signer.refreshes).toBeGreaterThan(0);
    expect(engine.status().isVoting).toBe(false);
    signer.signForOther("precommit", 1, hash);
    signer.change();
    expect(engine.status().isVoting).toBe(true);
  });
});

describe("a block of the last heights with a signature that neither node nor signer remembers", () => {
  /** Others decide a block, with or without the key's own precommit. */
  function decide(text: string, indexes: readonly number[]): string {
    const height = bench.chain.tip().height;
    const block = bench.block(text, 1);
    const hash = headerHash(block.header, quickHash);
    bench.receive({ type: "commit", commit: bench.commitOf(hash, indexes), block });
    bench.time.advance(5);
    expect(bench.chain.tip().height).toBe(height + 1);
    return hash;
  }

  it("keeps a signer that is an old copy from voting also after a restart of the node", () => {
    bench.start();
    // Remembered by the signer, whose folder is then one of that time.
    signer.signForOther("precommit", 1, decide("text", [1, 2, 3]));
    signer.change();
    decide("more", [0, 1, 2]);
    const engine = bench.start();
    expect(engine.status().isVoting).toBe(false);
    bench.time.advance(20_000);
    expect(signer.signed).toHaveLength(1);
    signer.signForOther("precommit", 2, bench.chain.tip().hash);
    signer.change();
    expect(engine.status().isVoting).toBe(true);
  });

  it("asks nothing of the signer at the start before it is known, though the signer is there", () => {
    bench.start();
    decide("text", [0, 1, 2]);
    decide("more", [0, 1, 2]);
    signer.last = NOTHING;
    // The node is the proposer of the next height, with work to do.
    for (const text of ["a", "b", "c", "d"]) bench.chain.add(text);
    bench.start().notifyWork();
    bench.time.advance(20_000);
    expect(signer.signed).toEqual([]);
  });

  it("lets a signer without any memory vote again some heights later", () => {
    bench = benchOfForgetful();
    const engine = bench.start();
    decide("text", [0, 1, 2]);
    for (let height = 2; height <= 11; height += 1) {
      expect(engine.status().isVoting).toBe(false);
      // The blocks are certainly of after the start.
      bench.time.advance(1_000);
      decide(`text ${height}`, [1, 2, 3]);
    }
    expect(engine.status().isVoting).toBe(true);
    expect(bench.warnings.filter((line) => line.includes("is not known to remember"))).toHaveLength(1);
    // It signs each step of the height, not one alone.
    decide("text 12", [1, 2, 3]);
    const hash = propose("next");
    bench.time.advance(5);
    bench.receive(...[1, 2, 3].map((index) => bench.vote("prevote", 0, hash, index)));
    bench.time.advance(5);
    expect(signer.signed.map(({ step }) => step)).toEqual(["prevote", "precommit"]);
  });
});

describe("a node in a new folder on a young network", () => {
  it("signs nothing of the first height with a signer that has forgotten everything: blocks may be on their way", () => {
    bench = benchOfForgetful();
    bench.chain.add("text");
    const engine = bench.start();
    engine.notifyWork();
    propose("text");
    bench.time.advance(HISTORY_WAIT_MS - 1_000);
    expect([engine.status().isVoting, signer.signed.length]).toEqual([false, 0]);
    // No block came: then it is a network that has none yet.
    bench.time.advance(2_000);
    expect(engine.status().isVoting).toBe(true);
    expect(signer.signed.length).toBeGreaterThan(0);
  });

  it("votes at once when the signer says that its key has signed nothing", () => {
    bench = benchOfForgetful(false);
    const engine = bench.start();
    propose("text");
    bench.time.advance(50);
    expect([engine.status().isVoting, signer.signed.length]).toEqual([false, 0]);
    signer.last = NOTHING;
    signer.change(true);
    bench.time.advance(50);
    expect(engine.status().isVoting).toBe(true);
    expect(signer.signed.length).toBeGreaterThan(0);
  });
});

it("a signer that remembers less than it signed for this node is not used", () => {
  const engine = bench.start();
  propose("text");
  bench.time.advance(5);
  expect(signer.last).toBeDefined();
  signer.last = undefined;
  signer.change();
  expect(engine.status().isVoting).toBe(false);
  expect(bench.warnings).toContainEqual(expect.stringContaining("remembers less"));
});

function signerDelay(delayMs: number): void {
  bench.start();
  signer.delayMs = delayMs;
}
