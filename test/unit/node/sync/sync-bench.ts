// A node that synchronises: a real engine without a vote over a chain in memory, peers that the test plays, virtual time.
import { createConsensusEngine } from "#node/engine/consensus-engine.ts";
import type { ConsensusEngine } from "#node/engine/engine-interface.ts";
import type { BlockComparison, FollowOutcome } from "#node/engine/execution/decided-block.ts";
import { createStandaloneNetwork } from "#node/engine/standalone-network.ts";
import type { ChainStatus, FinalBlock, PeerName, PeerOffence, ReceivedBlock } from "#node/network/peer-network.ts";
import { BlockSync, type BlockSyncDependencies, type SyncChain } from "#node/sync/block-sync.ts";
import { createDecidedProofs } from "#node/sync/decided-proof.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { type Commit, verifyCommit, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { CHAIN_ID, MemoryChain, quickHash, quickValidators, quickVerify } from "#test/support/chain/memory-chain.ts";
import { SimulatedDisk } from "#test/support/host/simulated-disk.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { receivedBlock } from "#test/support/nodes/test-network.ts";

const SILENT = { info: (): void => undefined, warn: (): void => undefined };
const START_MS = 1_800_000_000_000;
const HEARTBEAT_MS = 1_000_000_000;
const ZEROS = "00".repeat(32);
const { validators, signers } = quickValidators(4);

/** Blocks 1 to `length` of a chain with their commits; block h holds the text "h". */
export function chainOf(length: number, prefix = ""): readonly FinalBlock[] {
  const chain = new MemoryChain({ validators, genesisTimeMs: START_MS, heartbeatMs: HEARTBEAT_MS });
  for (let height = 1; height <= length; height += 1) {
    chain.add(`${prefix}${height}`);
    const { block, hash } = chain.buildBlock({ timeMs: START_MS + height, proposer: signers[height % 4]?.publicKey ?? "" });
    const commit = commitOf(height, hash);
    chain.store([{ block, commit }]);
  }
  return chain.blocks.map(({ block, commit }) => ({ block, commit }));
}

function commitOf(height: number, blockHash: string): Commit {
  const message = voteSignBytes(CHAIN_ID, { type: "precommit", height, round: 0, blockHash });
  const signatures = [0, 1, 2].map((index) => signers[index]?.sign(message) ?? new Uint8Array(64));
  return { height, round: 0, blockHash, bitmap: Uint8Array.of(0b0111), signatures };
}

/** What a peer answers; null: never. A promise is an answer when it likes to. */
export type PlayedPeer = (from: number, count: number) => readonly FinalBlock[] | Promise<readonly FinalBlock[]> | Error | null;

/** A peer that has these blocks and serves at most `most` at once. */
export function honest(blocks: readonly FinalBlock[], most = 64): PlayedPeer {
  return (from, count) => blocks.slice(from - 1, from - 1 + Math.min(count, most));
}

/** The node and its surroundings. */
export class SyncBench {
  readonly time = new VirtualTime();
  readonly chain = new MemoryChain({ validators, genesisTimeMs: START_MS, heartbeatMs: HEARTBEAT_MS });
  readonly engine: ConsensusEngine;
  readonly sync: BlockSync;
  readonly peers = new Map<PeerName, PlayedPeer>();
  readonly asked: { readonly peer: PeerName; readonly from: number; readonly count: number }[] = [];
  /** Heights of blocks of responses whose bodies were read, in order. */
  readonly read: number[] = [];
  readonly reports: string[] = [];
  /** What the log warns of. */
  readonly warnings: string[] = [];
  readonly abstained: boolean[] = [];
  readonly fatal: unknown[] = [];
  /** Largest number of requests that one peer had at a time. */
  mostAtOnce = 0;
  /** How long a response takes, ms. */
  delayMs = 5;
  readonly #open = new Map<PeerName, number>();

  constructor() {
    const clock = this.time.clock(START_MS + 1_000_000);
    this.engine = createConsensusEngine(
      {
        chainId: CHAIN_ID,
        timeouts: { proposeMs: 3_000, prevoteMs: 1_000, precommitMs: 1_000, deltaMs: 500, rebroadcastMs: 2_000 },
        minBlockIntervalMs: 0,
        heartbeatMs: HEARTBEAT_MS,
      },
      {
        application: this.chain,
        storage: new SimulatedDisk(),
        commits: this.chain,
        network: createStandaloneNetwork(),
        signer: null,
        verify: quickVerify,
        hash: quickHash,
        clock,
        timers: this.time,
        log: SILENT,
        onFatal: (error) => this.fatal.push(error),
        onEvidence: () => undefined,
      },
    );
    this.sync = new BlockSync({ chain: this.#syncChain(), network: this.#network(), clock, timers: this.time, log: this.#log() });
    this.engine.start();
    this.engine.onCommit(() => this.sync.onCommitted());
  }

  /** A peer connects and says how far it is. */
  join(name: PeerName, play: PlayedPeer, height: number, firstHeight = 1): void {
    this.peers.set(name, play);
    this.tell(name, height, firstHeight);
  }

  tell(name: PeerName, height: number, firstHeight = 1): void {
    const status: ChainStatus = { height, firstHeight, tipHash: ZEROS };
    this.sync.onStatus(status, name);
  }

  /** Lets time pass, with everything that promises do in between. */
  async pass(durationMs: number): Promise<void> {
    for (let leftMs = durationMs; leftMs >= 0; leftMs -= 5) {
      this.time.advance(Math.min(5, leftMs));
      for (let turn = 0; turn < 600; turn += 1) {
        await Promise.resolve();
        if (turn % 3 === 0) this.time.advance(0);
      }
    }
  }

  #log(): BlockSyncDependencies["log"] {
    return { info: (): void => undefined, warn: (_details, message): void => void this.warnings.push(message) };
  }

  #syncChain(): SyncChain {
    const proofs = createDecidedProofs({
      chainId: CHAIN_ID,
      validators: () => this.chain.tip().nextValidators,
      preparation: { prepareCommit: () => Promise.resolve(), prepareDecided: () => Promise.resolve() },
      verify: quickVerify,
      hash: quickHash,
    });
    return {
      height: (): number => this.chain.tip().height,
      applyBatch: (batch): Promise<FollowOutcome> => this.engine.applyBatch(batch),
      setAbstaining: (isAbstaining): void => {
        if (this.abstained.at(-1) !== isAbstaining) this.abstained.push(isAbstaining);
        this.engine.setAbstaining(isAbstaining);
      },
      ...proofs,
      compare: ({ header, commit }): BlockComparison => {
        const hash = headerHash(header, quickHash);
        if (commit.blockHash !== hash || !verifyCommit(CHAIN_ID, validators, commit, quickVerify)) return "false";
        return this.chain.blocks[header.height - 1]?.hash === hash ? "own" : "other";
      },
    };
  }

  #network(): BlockSyncDependencies["network"] {
    return {
      requestBlocks: async (peer, from, count, signal): Promise<readonly ReceivedBlock[]> =>
        (await this.#answer(peer, from, count, signal)).map((final) => this.#received(final)),
      report: (peer, offence: PeerOffence): void => void this.reports.push(`${peer} ${offence}`),
    };
  }

  /** A block as it comes, whose reading is noted. */
  #received(final: FinalBlock): ReceivedBlock {
    const received = receivedBlock(final);
    const read = (): Block | undefined => {
      this.read.push(received.header.height);
      return received.read();
    };
    return { ...received, read };
  }

  async #answer(peer: PeerName, from: number, count: number, signal: AbortSignal): Promise<readonly FinalBlock[]> {
    this.asked.push({ peer, from, count });
    const open = (this.#open.get(peer) ?? 0) + 1;
    this.#open.set(peer, open);
    this.mostAtOnce = Math.max(this.mostAtOnce, open);
    const answer = this.peers.get(peer)?.(from, count) ?? null;
    const { promise, resolve, reject } = Promise.withResolvers<readonly FinalBlock[]>();
    signal.addEventListener("abort", () => reject(new Error("aborted")));
    if (answer instanceof Promise) void answer.then(resolve);
    else if (answer !== null)
      this.time.setTimer(this.delayMs, () => {
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      });
    return await promise.finally(() => this.#open.set(peer, (this.#open.get(peer) ?? 1) - 1));
  }
}
