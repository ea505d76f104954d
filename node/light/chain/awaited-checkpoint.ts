// A checkpoint whose block no peer has served yet. It is known by its hash, so any peer may be the one.
import type { PeerName } from "#node/network/peer-network.ts";
import type { Checkpoint } from "#shared/protocol/chain/checkpoint.ts";
import { type Height, headerHash } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { checkBlockOfHash, isExpired } from "#shared/protocol/light/verify-light-block.ts";
import { Deadline } from "../deadline.ts";
import { LIGHT_MESSAGES } from "../light-status.ts";
import type { BlockFinderDependencies } from "./block-finder.ts";

/** Time for a peer's response, ms. */
const FETCH_TIMEOUT_MS = 30_000;

/** What a checkpoint is fetched with. */
export interface AwaitedCheckpointDependencies extends Omit<BlockFinderDependencies, "blocks" | "onContradiction"> {
  readonly checkpoint: Checkpoint;
}

/** Why a node with a checkpoint has not begun; no peer can change what is final. */
export interface CheckpointProblem {
  readonly isFinal: boolean;
  readonly reason: string;
}

/** The block to begin with, before it is there. */
export class AwaitedCheckpoint {
  readonly #dependencies: AwaitedCheckpointDependencies;
  #problem: CheckpointProblem | undefined;

  constructor(dependencies: AwaitedCheckpointDependencies) {
    this.#dependencies = dependencies;
  }

  get height(): Height {
    return this.#dependencies.checkpoint.height;
  }

  get problem(): CheckpointProblem | undefined {
    return this.#problem;
  }

  /** The block, when the peer has it and it is young enough. */
  async fetch(peer: PeerName): Promise<TrustedBlock | undefined> {
    const { checkpoint, peers, rules, clock, timers, signal } = this.#dependencies;
    const { height, hash } = checkpoint;
    const deadline = new Deadline(timers, FETCH_TIMEOUT_MS, signal);
    const proposed = await deadline.within((stop) => peers.lightBlock(peer, height, stop));
    deadline.end();
    if (proposed === undefined || signal.aborted) return undefined;
    if (headerHash(proposed.header, rules.hash) !== hash) {
      // Which of the two is wrong cannot be known here.
      this.#problem ??= { isFinal: false, reason: LIGHT_MESSAGES.wrongCheckpoint(height) };
      return undefined;
    }
    const checked = checkBlockOfHash(proposed, hash, rules);
    if ("reason" in checked || checked.header.height !== height) {
      peers.report(peer, "invalid");
      return undefined;
    }
    if (!isExpired(checked.header, clock.nowMs(), rules)) return checked;
    this.#problem = { isFinal: true, reason: LIGHT_MESSAGES.oldCheckpoint(height, rules.trustingPeriodMs) };
    return undefined;
  }
}
