// What happens on the chain, for those who listen to a light node: headers come unasked, blocks are fetched while there are subscribers.
import type { BlockReward } from "#node/ledger/execute.ts";
import { readWallet } from "#node/ledger/records/node-records.ts";
import { readParamsOf } from "#node/ledger/records/params-records.ts";
import type { Log } from "#node/observability/log.ts";
import type { ChainEvents, CommittedBlock } from "#node/queries/chain-events.ts";
import type { BlockRecord } from "#node/storage/chain/block-repository.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import type { ProvenReads } from "../reads/proven-reads.ts";

/** Blocks that are fetched after a leap of the tip, at most: the newest ones. */
export const MAX_BLOCKS_AT_ONCE = 20;

type Listener = (block: CommittedBlock) => void;

/** What events are made of. */
export interface LightEventsDependencies {
  readonly reads: ProvenReads;
  /** Parameters of the network before any change. */
  readonly first: NetworkParams;
  readonly log: Log;
}

/** Events of a light node. */
export class LightEvents implements ChainEvents {
  readonly #dependencies: LightEventsDependencies;
  readonly #listeners = new Map<Listener, () => boolean>();
  readonly #skipped = new Set<() => void>();
  readonly #unsubscribe: () => void;
  /** Blocks up to this height were reported, or had no subscribers. */
  #reported: Height;
  #isReporting = false;
  #isStopped = false;

  constructor(dependencies: LightEventsDependencies) {
    this.#dependencies = dependencies;
    const { source } = dependencies.reads;
    this.#reported = source.tip().header.height;
    this.#unsubscribe = source.onTip(() => void this.#report());
  }

  onCommit(listener: Listener, hasSubscribers: () => boolean = (): boolean => true): () => void {
    this.#listeners.set(listener, hasSubscribers);
    return (): void => void this.#listeners.delete(listener);
  }

  onSkipped(listener: () => void): () => void {
    this.#skipped.add(listener);
    return (): void => void this.#skipped.delete(listener);
  }

  stop(): void {
    this.#isStopped = true;
    this.#unsubscribe();
  }

  /** Reports the blocks up to the tip in their order; what comes meanwhile is reported by the same run. */
  async #report(): Promise<void> {
    if (this.#isReporting) return;
    this.#isReporting = true;
    try {
      while (!this.#isStopped && this.#reported < this.#height) {
        if (!this.#hasSubscribers()) {
          this.#reported = this.#height;
          break;
        }
        this.#skipTo(this.#height - MAX_BLOCKS_AT_ONCE);
        await this.#reportNext(this.#reported + 1);
        this.#reported += 1;
      }
    } catch (error) {
      // The next tip tries again.
      this.#dependencies.log.warn({ err: error, height: this.#reported + 1 }, "A new block could not be fetched");
    } finally {
      this.#isReporting = false;
    }
  }

  get #height(): Height {
    return this.#dependencies.reads.source.tip().header.height;
  }

  #hasSubscribers(): boolean {
    return [...this.#listeners.values()].some((hasSubscribers) => hasSubscribers());
  }

  #skipTo(height: Height): void {
    if (height <= this.#reported) return;
    this.#reported = height;
    for (const listener of this.#skipped) listener();
  }

  async #reportNext(height: Height): Promise<void> {
    const record = await this.#dependencies.reads.read(({ blocks }) => blocks.get(height));
    if (record === undefined || this.#isStopped) return;
    const { block, hash, receipts } = record;
    const committed = { block, hash, receipts, reward: await this.#rewardOf(record) };
    for (const listener of this.#listeners.keys()) {
      try {
        listener(committed);
      } catch (error) {
        this.#dependencies.log.error({ err: error }, "notifying the listeners of a block failed");
      }
    }
  }

  /** Who got it says the state after the block; undefined when peers show a later one only. */
  async #rewardOf({ block: { header, transactions }, receipts }: BlockRecord): Promise<BlockReward | undefined> {
    if (transactions.length === 0) return undefined;
    const { reads, first } = this.#dependencies;
    const rewarded = await reads.read(({ blocks, state }) => {
      const to = readWallet(state, header.proposer);
      const params = readParamsOf(state, first, header.paramsHash);
      return blocks.tipHeight() === header.height && params !== undefined ? { to, subsidyUt: params.block_reward_ut } : undefined;
    });
    if (rewarded === undefined) return undefined;
    const feesUt = receipts.reduce((sum, { feeUt }) => sum + feeUt, 0);
    return { ...rewarded, feesUt };
  }
}
