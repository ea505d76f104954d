// Notices that more than two thirds decided two blocks of one height: a third or more of the validators is dishonest then, and those
// that signed both in one round are proven guilty.
import type { Evidence } from "#node/consensus/effects.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { type BlockHeader, type HashHex, type Height, headerHash } from "#shared/protocol/chain/header.ts";
import type { LightBlock } from "#shared/protocol/chain/light-block.ts";
import { type Commit, commitSigners, type Vote, verifyCommit } from "#shared/protocol/chain/vote.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import type { Clock } from "#shared/util/clock.ts";
import { type ConsensusNetwork, readBlock, UNKNOWN_SENDER } from "../consensus-network.ts";
import { Allowance } from "../inbound/allowance.ts";
import { INBOUND_LIMITS } from "../inbound/inbound-limits.ts";
import type { CommitReader } from "./right/start-checks.ts";

export interface ForkWatchDependencies {
  readonly chainId: string;
  /** Hash of the own block of a height; undefined when there is none. Asked for every block that others decided. */
  hashAt(height: Height): HashHex | undefined;
  readonly commits: CommitReader;
  readonly verify: VerifySignature;
  /**
   * Called once a height; `evidence` is empty when the two blocks were decided in different rounds. `other` is the block that is not the
   * own one, where its header is known.
   */
  onFork(height: Height, evidence: readonly Evidence[], other: LightBlock | undefined): void;
}

/** Compares what others decided with the own chain. */
export class ForkWatch {
  readonly #dependencies: ForkWatchDependencies;
  #lastHeight: Height = 0;

  constructor(dependencies: ForkWatchDependencies) {
    this.#dependencies = dependencies;
  }

  /** Compares a block that others decided, and the commit of its parent. Nothing of it has to be checked before. */
  check({ header, lastCommit }: Pick<Block, "header" | "lastCommit">, commit: Commit): void {
    this.#compare(commit, header);
    if (lastCommit !== null) this.#compare(lastCommit);
  }

  #compare(other: Commit, header?: BlockHeader): void {
    const { chainId, hashAt, commits, verify, onFork } = this.#dependencies;
    const hash = hashAt(other.height);
    if (hash === undefined || hash === other.blockHash || other.height === this.#lastHeight) return;
    const own = commits.readCommit(other.height);
    if (own === undefined || !verifyCommit(chainId, own.validators, other, verify)) return;
    this.#lastHeight = other.height;
    const { validators } = own;
    const isHeaderOf = header !== undefined && headerHash(header) === other.blockHash;
    const block = isHeaderOf ? { header, commit: other, validators } : undefined;
    onFork(other.height, doubleSigners(own.commit, other, validators.length), block);
  }
}

/** The network, with a check of the commits that come from it. */
export function watchForks(network: ConsensusNetwork, watch: ForkWatch, clock: Clock): ConsensusNetwork {
  const allowance = new Allowance({ perSecond: 1 / INBOUND_LIMITS.compareSeconds, burst: INBOUND_LIMITS.compareBurst });
  return {
    broadcast: (message): void => network.broadcast(message),
    onMessage: (receive): (() => void) =>
      network.onMessage((message, sender = UNKNOWN_SENDER, bytes) => {
        if (message.type === "commit" && allowance.take(sender.name, 1, clock.monotonicMs())) {
          const block = readBlock(message);
          if (block !== undefined) watch.check(block, message.commit);
        }
        receive(message, sender, bytes);
      }),
  };
}

/** Evidence against all who signed both commits of one round. */
function doubleSigners(own: Commit, other: Commit, size: number): readonly Evidence[] {
  if (own.round !== other.round) return [];
  const second = votesOf(other, size);
  return votesOf(own, size).flatMap((first): readonly Evidence[] => {
    const contradiction = second.find(({ validatorIndex }) => validatorIndex === first.validatorIndex);
    return contradiction === undefined ? [] : [{ type: "vote", first, second: contradiction }];
  });
}

function votesOf(commit: Commit, size: number): readonly Vote[] {
  const { height, round, blockHash } = commit;
  return commitSigners(commit, size).flatMap((validatorIndex, at): readonly Vote[] => {
    const signature = commit.signatures[at];
    return signature === undefined ? [] : [{ type: "precommit", height, round, blockHash, validatorIndex, signature }];
  });
}
