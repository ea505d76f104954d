// Messages of other validators in their turn: what each height has to do with them, and what their senders have to answer for.
import type { ConsensusState } from "#node/consensus/state.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { proposerOf } from "#shared/protocol/chain/proposers.ts";
import type { Commit, Proposal } from "#shared/protocol/chain/vote.ts";
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { MessageSender } from "../consensus-network.ts";
import type { BlockApplication } from "../execution/block-application.ts";
import type { DecidedBlock } from "../execution/decided-block.ts";
import { Allowance } from "../inbound/allowance.ts";
import { INBOUND_LIMITS } from "../inbound/inbound-limits.ts";
import type { LogRecord } from "../log/log-record.ts";
import { EarlyMessages, type ReceivedMessage } from "./early-messages.ts";
import { LastDecision } from "./last-decision.ts";
import { type AdmissionContext, admitMessage, type CoreMessage, messageHeight } from "./message-admission.ts";
import type { CommitReader } from "./right/start-checks.ts";

const { surplusPerSecond, surplusBurst, workPerSecond, workBurst } = INBOUND_LIMITS;

export interface MessageReceptionDependencies {
  readonly chainId: string;
  readonly application: BlockApplication;
  readonly commits: CommitReader;
  readonly clock: Clock;
  readonly verify: VerifySignature;
  readonly hash: Sha256;
  /** How long late votes are on their way at most, ms. */
  readonly patienceMs: number;
  onWork(transactions: readonly Transaction[], sender: MessageSender): void;
  /** A sender sent what no honest one sends. */
  onDishonest(sender: MessageSender): void;
}

/** Sorts messages by their heights. */
export class MessageReception {
  readonly #dependencies: MessageReceptionDependencies;
  readonly #early = new EarlyMessages();
  readonly #last: LastDecision;
  readonly #surplus = new Allowance({ perSecond: surplusPerSecond, burst: surplusBurst });
  readonly #work = new Allowance({ perSecond: workPerSecond, burst: workBurst });

  constructor(dependencies: MessageReceptionDependencies) {
    this.#dependencies = dependencies;
    this.#last = new LastDecision(dependencies);
  }

  /** The commit of a height with the precommits that came later, when it is the last one that was decided in this run. */
  commitOf(height: Height): Commit | null {
    const { commit } = this.#last;
    return commit?.height === height ? commit : null;
  }

  /** What a message is to the core; undefined when it is nothing. */
  receive(received: ReceivedMessage, state: ConsensusState): LogRecord | undefined {
    const { message, sender } = received;
    if (message.type === "work") {
      if (this.#work.take(sender.name, message.transactions.length, this.#nowMs())) this.#dependencies.onWork(message.transactions, sender);
      return undefined;
    }
    const height = messageHeight(message);
    if (height === state.height + 1) this.#early.add(received, (proposal, from) => this.#isNextProposer(proposal, from, state));
    if (height === state.height - 1 && message.type === "vote") this.#last.receive(message.vote, sender);
    return height === state.height ? this.#admit(message, sender, state) : undefined;
  }

  /** A height is over. @returns the messages for the next one that came early. */
  committed(decided: DecidedBlock): readonly ReceivedMessage[] {
    this.#last.committed(decided);
    return this.#early.take();
  }

  /** As far as is known: when the present round decides its proposer's block, and that changes no validator. */
  #isNextProposer({ round, validatorIndex }: Proposal, { publicKey }: MessageSender, state: ConsensusState): boolean {
    const { application } = this.#dependencies;
    if (publicKey !== null && application.tip().nextValidators[validatorIndex]?.publicKey !== publicKey) return false;
    return validatorIndex === proposerOf(application.proposersAfter(proposerOf(state.proposers, state.round)), round);
  }

  #admit(message: CoreMessage, sender: MessageSender, state: ConsensusState): LogRecord | undefined {
    const admission = admitMessage(message, this.#context(sender, state));
    if (admission === "dishonest") this.#dependencies.onDishonest(sender);
    return typeof admission === "string" ? undefined : admission;
  }

  #context(sender: MessageSender, state: ConsensusState): AdmissionContext {
    const { chainId, application, clock, verify, hash } = this.#dependencies;
    return {
      chainId,
      validators: application.tip().nextValidators,
      state,
      nowMs: clock.nowMs(),
      verify,
      hash,
      sender,
      mayCheckSurplus: (validatorIndex): boolean => this.#surplus.take(validatorIndex, 1, this.#nowMs()),
      reusePooled: (block): ReturnType<BlockApplication["reusePooledTransactions"]> => application.reusePooledTransactions(block),
    };
  }

  #nowMs(): number {
    return this.#dependencies.clock.monotonicMs();
  }
}
