// A light node on the bench: its store is real, its time is the test's, its peers serve what the test gives them.

import type { HeaderOutcome } from "#node/light/chain/header-queue.ts";
import { TrustedChain } from "#node/light/chain/trusted-chain.ts";
import type { LightPeer, LightPeers } from "#node/light/light-peers.ts";
import type { PeerOffence } from "#node/network/peer-network.ts";
import { type LightDatabase, openLightDatabase } from "#node/storage/light-database.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Checkpoint } from "#shared/protocol/chain/checkpoint.ts";
import { type BlockHeader, headerHash } from "#shared/protocol/chain/header.ts";
import type { LightBlock, TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import type { LightRules } from "#shared/protocol/light/verify-light-block.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { BEGIN_MS, blockOf, LIGHT_CHAIN_ID, LIGHT_RULES, untrusted } from "#test/support/worlds/light-world.ts";

/** A peer as the test plays it: blocks by height. What it throws is a failure to answer. */
export interface PlayedPeer {
  height: number;
  /** The first block that it says it serves. */
  readonly firstHeight?: number;
  readonly firstHeader?: number;
  block(height: number): LightBlock | undefined | Promise<LightBlock | undefined>;
  /** Headers alone, when they are not those of the blocks. */
  header?(height: number): BlockHeader | Promise<BlockHeader>;
  /** Most blocks of a response. */
  readonly mostBlocks?: number;
}

/** A peer that has a chain. */
export function honestPeer(chain: readonly TrustedBlock[], mostBlocks?: number): PlayedPeer {
  const block = (height: number): LightBlock | undefined => {
    const found = chain[height];
    return found === undefined ? undefined : untrusted(found);
  };
  return { height: chain.length - 1, block, ...(mostBlocks === undefined ? {} : { mostBlocks }) };
}

/** A peer that never answers in time. */
export function silentPeer(height: number): PlayedPeer {
  return { height, block: () => Promise.reject(new CodedError("UPSTREAM_FAILED", "no answer")) };
}

/** What a bench may differ in. */
export interface BenchOptions {
  readonly genesis: TrustedBlock;
  readonly checkpoint?: Checkpoint;
  readonly rules?: LightRules;
  /** Time of the clock at the start; a minute after the last block of the tests' chains by default. */
  readonly nowMs?: number;
}

/** One light node. */
export class ChainBench implements AsyncDisposable, LightPeers {
  readonly time = new VirtualTime();
  readonly played = new Map<string, PlayedPeer>();
  readonly reports: (readonly [string, PeerOffence])[] = [];
  /** Requests as `peer height`, `peer height header` or `peer from+count`. */
  readonly requests: string[] = [];
  readonly proven = new Set<string>();
  readonly errors: string[] = [];
  readonly tips: number[] = [];
  /** Forks that the chain stopped at, by the hashes of their blocks. */
  readonly forks: (readonly string[])[] = [];
  readonly #folder: TemporaryFolder;
  #options: BenchOptions;
  #offsetMs: number;
  #running: { readonly store: LightDatabase; readonly chain: TrustedChain } | undefined;

  private constructor(folder: TemporaryFolder, options: BenchOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#offsetMs = options.nowMs ?? BEGIN_MS + 3_600_000;
  }

  static async create(options: BenchOptions): Promise<ChainBench> {
    const bench = new ChainBench(await createTemporaryFolder(), options);
    bench.start();
    return bench;
  }

  get path(): string {
    return this.#folder.path;
  }

  get chain(): TrustedChain {
    if (this.#running === undefined) throw new Error("The node does not run");
    return this.#running.chain;
  }

  get store(): LightDatabase {
    if (this.#running === undefined) throw new Error("The node does not run");
    return this.#running.store;
  }

  get height(): number {
    return this.chain.tip().header.height;
  }

  /** Starts the node on its folder; `change` stays in force. */
  start(change: Partial<BenchOptions> = {}): void {
    this.stop();
    this.#options = { ...this.#options, ...change };
    const { genesis, checkpoint, rules = LIGHT_RULES } = this.#options;
    const store = openLightDatabase(this.#folder.path, { chainId: LIGHT_CHAIN_ID, genesisHash: genesis.header.parentHash });
    const log = {
      info: (): void => undefined,
      warn: (): void => undefined,
      error: (_: object, words: string): void => void this.errors.push(words),
    };
    const clock = { nowMs: (): number => this.time.nowMs + this.#offsetMs, monotonicMs: (): number => this.time.nowMs };
    const given = checkpoint === undefined ? {} : { checkpoint };
    const onFork = ({ first, second }: { readonly first: LightBlock; readonly second: LightBlock }): void =>
      void this.forks.push([headerHash(first.header), headerHash(second.header)]);
    const chain = new TrustedChain({ genesis, store, peers: this, rules, clock, timers: this.time, log, onFork, ...given });
    chain.onTip((tip) => this.tips.push(tip.header.height));
    this.#running = { store, chain };
  }

  /** Ends the node. */
  stop(): void {
    this.#running?.chain.stop();
    this.#running?.store.close();
    this.#running = undefined;
  }

  /** Sets the clock. */
  setClock(nowMs: number): void {
    this.#offsetMs = nowMs - this.time.nowMs;
  }

  /** Lets time pass, and what was waiting for it happen. */
  async pass(durationMs: number): Promise<void> {
    const untilMs = this.time.nowMs + durationMs;
    for (let isOver = false; !isOver; ) {
      await settle();
      isOver = !this.time.step(untilMs);
    }
    await settle();
  }

  /** A peer offers the block of a height. */
  async offer(name: string, height: number): Promise<HeaderOutcome> {
    const block = await this.played.get(name)?.block(height);
    if (block === undefined) throw new Error(`${name} has no block ${height}`);
    return await this.chain.accept(block, name);
  }

  peers(): readonly LightPeer[] {
    return [...this.played].map(([name, { height, firstHeight = 1, firstHeader = firstHeight }]) => ({
      ...{ name, height, firstHeight, firstHeader },
      isProven: this.proven.has(name),
    }));
  }

  noteProven(name: string): void {
    this.proven.add(name);
  }

  async lightBlock(name: string, height: number): Promise<LightBlock | undefined> {
    this.requests.push(`${name} ${height}`);
    return await this.played.get(name)?.block(height);
  }

  async header(name: string, height: number): Promise<BlockHeader | undefined> {
    this.requests.push(`${name} ${height} header`);
    const peer = this.played.get(name);
    return peer?.header === undefined ? (await peer?.block(height))?.header : await peer.header(height);
  }

  async lightBlocks(name: string, from: number, count: number): Promise<readonly LightBlock[]> {
    this.requests.push(`${name} ${from}+${count}`);
    const peer = this.played.get(name);
    const blocks: LightBlock[] = [];
    for (let height = from; height < from + Math.min(count, peer?.mostBlocks ?? count); height += 1) {
      const block = await peer?.block(height);
      if (block === undefined) break;
      blocks.push(block);
    }
    return blocks;
  }

  report(name: string, offence: PeerOffence): void {
    this.proven.delete(name);
    this.reports.push([name, offence]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.#folder.remove();
  }
}

/** Checkpoint of a block of a chain. */
export function checkpointOf(chain: readonly TrustedBlock[], height: number): Checkpoint {
  return { height, hash: blockOf(chain, height).hash };
}

/** Promises that are ready have had their turn. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
