// What still comes for the last height: precommits that were late, which the commit in the next header is to carry, and votes of
// validators that missed its end, which get the commit.
import { isMissing, withPrecommit } from "#node/consensus/certificates.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { type Commit, type Vote, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { fromHex } from "#shared/util/bytes.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { MessageSender } from "../consensus-network.ts";
import type { DecidedBlock } from "../execution/decided-block.ts";
import { INBOUND_LIMITS } from "../inbound/inbound-limits.ts";
import type { CommitReader } from "./right/start-checks.ts";

export interface LastDecisionDependencies {
  readonly chainId: string;
  readonly clock: Clock;
  readonly commits: CommitReader;
  readonly verify: VerifySignature;
  /** How long late votes are on their way at most, ms. */
  readonly patienceMs: number;
  onDishonest(sender: MessageSender): void;
}

/** The last decided block of this run. */
export class LastDecision {
  readonly #dependencies: LastDecisionDependencies;
  #decided: DecidedBlock | null = null;
  #decidedMs = 0;
  #validators: ValidatorSet | undefined;
  #wrong = new Map<number, number>();
  #helped = new Set<number>();

  constructor(dependencies: LastDecisionDependencies) {
    this.#dependencies = dependencies;
  }

  /** The commit with the precommits that came later; null when nothing was decided in this run. */
  get commit(): Commit | null {
    return this.#decided?.commit ?? null;
  }

  /** A height is over. */
  committed(decided: DecidedBlock): void {
    this.#decided = decided;
    this.#decidedMs = this.#dependencies.clock.monotonicMs();
    this.#validators = undefined;
    this.#wrong = new Map();
    this.#helped = new Set();
  }

  /** Takes a vote of the last height. */
  receive(vote: Vote, sender: MessageSender): void {
    if (this.#decided === null || vote.height !== this.#decided.commit.height) return;
    this.#validators ??= this.#dependencies.commits.readCommit(vote.height)?.validators;
    const validator = this.#validators?.[vote.validatorIndex];
    if (validator === undefined) return;
    const isOwn = sender.publicKey === validator.publicKey;
    if (sender.publicKey !== null && !isOwn) this.#dependencies.onDishonest(sender);
    else if (isMissing(this.#decided.commit, vote)) this.#addPrecommit(this.#decided, vote, sender);
    // Votes that were on their way when the height ended come from no lagging validator.
    else if (isOwn && this.#dependencies.clock.monotonicMs() >= this.#decidedMs + this.#dependencies.patienceMs) this.#help(vote, sender);
  }

  #addPrecommit(decided: DecidedBlock, vote: Vote, sender: MessageSender): void {
    const wrong = this.#wrong.get(vote.validatorIndex) ?? 0;
    if (wrong >= INBOUND_LIMITS.wrongPrecommits) return;
    if (this.#isSigned(vote)) this.#decided = { ...decided, commit: withPrecommit(decided.commit, vote) };
    else {
      this.#wrong.set(vote.validatorIndex, wrong + 1);
      this.#dependencies.onDishonest(sender);
    }
  }

  /** Once for each validator: further behind, or when this is lost, block synchronisation is quicker. */
  #help(vote: Vote, sender: MessageSender): void {
    if (this.#decided === null || this.#helped.has(vote.validatorIndex)) return;
    if (!this.#isSigned(vote)) {
      this.#dependencies.onDishonest(sender);
      return;
    }
    this.#helped.add(vote.validatorIndex);
    sender.reply({ type: "commit", ...this.#decided });
  }

  #isSigned(vote: Vote): boolean {
    const { chainId, verify } = this.#dependencies;
    const validator = this.#validators?.[vote.validatorIndex];
    return validator !== undefined && verify(vote.signature, voteSignBytes(chainId, vote), fromHex(validator.publicKey));
  }
}
