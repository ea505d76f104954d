// What a node does about keepers that signed two digests of one slot and version. A validator votes, for evidence that it found or that a block
// showed; any other node that found some shows it to the validators, unless another one was faster.
import { LRUCache } from "lru-cache";
import { interpretTransaction } from "#node/ledger/check-transaction.ts";
import { readValidators } from "#node/ledger/records/records.ts";
import { suspensionFailure } from "#node/ledger/transactions/relays/suspend-relay.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { DIGEST_VERSION_S, LIE_LIFETIME_S, SUSPENSION_VERSION } from "#shared/protocol/primitives/limits.ts";
import type { DigestContradiction, PayloadOf } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import { canPayFee, type DutyContext, leastFeeOf, ownTransaction } from "./duty-context.ts";
import { type FoundLie, type LiePool, MAX_LIARS } from "./lie-pool.ts";

/** Nodes that are no validators wait for up to this before they show what they found, ms: all keepers of a slot find much the same. */
export const SHOWING_SPREAD_MS = 30_000;
/** A node shows nothing of a relay that is less than so many versions newer than what a block showed of it: six hours. */
const SHOWN_VERSIONS = 36;
/** A transaction that was refused, or lost, is tried again after this, ms. */
const RETRY_MS = 30_000;

/** A validator's key in another process than the node. */
export interface SuspensionVoter {
  readonly publicKey: PublicKeyHex;
  /** False where that process cannot sign votes: the node does as one that is no validator. */
  readonly canVote: boolean;
  /** The vote, which offers no fee; undefined when it is not signed now. */
  vote(evidence: DigestContradiction): Promise<Transaction | undefined>;
}

/** What this needs beside the node's account. */
export interface LieReporterOptions extends DutyContext {
  /** Where the validator's key is, unless it is the node's. */
  readonly voter?: SuspensionVoter | undefined;
  readonly lies: LiePool;
  readonly timers: Timers;
  /** Time of the newest block, ms, and the version of the rules of the next one. */
  readonly chainNow: () => { readonly timeMs: number; readonly version: number };
  /** Calls back with the transactions of each block once it is committed, of one without any too; returns the way to stop that. */
  readonly onTransactions: (listener: (transactions: readonly Transaction[]) => void) => () => void;
}

/** Votes, or shows evidence, from now on. Returns the way to stop. */
export function reportLies(options: LieReporterOptions): () => void {
  const reporter = new LieReporter(options);
  reporter.start();
  return () => reporter.stop();
}

/** A transaction of this node about a relay. */
interface Report {
  /** Undefined when it was not signed. */
  readonly id?: string;
  /** When the next one may be sent, ms of a clock that is never set. */
  readonly againAtMs: number;
}

class LieReporter {
  readonly #options: LieReporterOptions;
  readonly #reports = new Map<PublicKeyHex, Report>();
  /** Relays about which one is being signed or checked: it is not pending yet. */
  readonly #underWay = new Set<PublicKeyHex>();
  /** Newest versions of what blocks have shown of relays, at nodes that are no validators. */
  readonly #shown = new LRUCache<PublicKeyHex, number>({ max: MAX_LIARS });
  readonly #delayMs: number;
  #stopListening: readonly (() => void)[] = [];
  #cancel: CancelTimer | undefined;

  constructor(options: LieReporterOptions) {
    this.#options = options;
    const [first = 0, second = 0] = options.random(2);
    this.#delayMs = ((first * 256 + second) * SHOWING_SPREAD_MS) / 65_536;
  }

  start(): void {
    const { lies, onTransactions } = this.#options;
    const onBlock = (transactions: readonly Transaction[]): void => {
      this.#take(transactions.flatMap((tx) => evidenceOf(tx) ?? []));
      this.#look();
    };
    this.#stopListening = [onTransactions(onBlock), lies.onAdded(() => this.#look())];
    this.#look();
  }

  stop(): void {
    this.#cancel?.();
    for (const stop of this.#stopListening) stop();
  }

  /** Of a block, which this node has checked: signatures are their relay's. What failed there may have a version that is none yet. */
  #take(evidence: readonly DigestContradiction[]): void {
    if (evidence.length === 0) return;
    const { lies, clock } = this.#options;
    const isValidator = this.#isValidator();
    const open = evidence.filter((each) => !this.#isOver(each, isValidator));
    if (isValidator) lies.addAll(open, clock.nowMs());
    else for (const { relay_pub: relay, version } of open) this.#shown.set(relay, Math.max(version, this.#shown.get(relay) ?? 0));
  }

  #look(): void {
    const { lies, chainNow, timers } = this.#options;
    this.#cancel?.();
    this.#cancel = undefined;
    if (lies.size > 0) {
      const isValidator = this.#isValidator();
      lies.remove(lies.all().flatMap(({ evidence }) => (this.#isOver(evidence, isValidator) ? evidence.relay_pub : [])));
      if (chainNow().version >= SUSPENSION_VERSION) for (const found of lies.all()) this.#report(found, isValidator);
    }
    for (const relay of this.#reports.keys()) if (!lies.has(relay)) this.#reports.delete(relay);
    // Without evidence there is no timer.
    if (lies.size > 0) this.#cancel = timers.setTimer(RETRY_MS, () => this.#look());
  }

  #report({ evidence, foundAtMs }: FoundLie, isValidator: boolean): void {
    const { clock, isPending, log } = this.#options;
    const { relay_pub: relay } = evidence;
    const known = this.#reports.get(relay);
    if (this.#underWay.has(relay)) return;
    if (known !== undefined && ((known.id !== undefined && isPending(known.id)) || clock.monotonicMs() < known.againAtMs)) return;
    if (!isValidator && (!canPayFee(this.#options) || this.#isWaiting(foundAtMs))) return;
    this.#underWay.add(relay);
    this.#reports.set(relay, { againAtMs: clock.monotonicMs() + RETRY_MS });
    this.#send(evidence)
      .then(
        (isSent) => isSent && log.warn({ relay, slot: evidence.slot }, "A keeper signed two digests of one slot and is reported"),
        (error: unknown) => log.debug({ err: error, relay }, "A keeper that lied could not be reported yet"),
      )
      .finally(() => this.#underWay.delete(relay));
  }

  /** False when the vote was not signed, or is no longer wanted now that it is. */
  async #send(evidence: DigestContradiction): Promise<boolean> {
    const { voter, lies, clock, submit } = this.#options;
    const { relay_pub: relay } = evidence;
    // What this node signs itself leaves at once.
    const tx = voter?.canVote === true ? await voter.vote(evidence) : this.#ownReport(evidence);
    if (tx === undefined || !lies.has(relay)) return false;
    this.#reports.set(relay, { id: tx.id, againAtMs: clock.monotonicMs() + RETRY_MS });
    await submit(tx);
    return true;
  }

  #ownReport(evidence: DigestContradiction): Transaction {
    const fee = canPayFee(this.#options) ? leastFeeOf(this.#options) : 0;
    return ownTransaction(this.#options, { type: "SUSPEND_RELAY", fee, payload: { evidence } });
  }

  /** Not where the clock was set back since. */
  #isWaiting(foundAtMs: number): boolean {
    const ageMs = this.#options.clock.nowMs() - foundAtMs;
    return ageMs >= 0 && ageMs < this.#delayMs;
  }

  /** True for what leads to nothing any more: suspended, too old or not signed yet, without a bond, voted for, or shown by another node. */
  #isOver({ relay_pub: relay, version }: DigestContradiction, isValidator: boolean): boolean {
    const { state, chainNow, clock } = this.#options;
    const { timeMs } = chainNow();
    const failure = suspensionFailure(state, this.#reporter, { relay_pub: relay, version }, { timeMs });
    const signedMs = version * DIGEST_VERSION_S * 1_000;
    // The newest block may be of long ago. A liar could show what is of next year, and nothing else of it would be stored until then.
    if (failure === "RELAY_LIE_UNPROVEN") return signedMs <= timeMs - LIE_LIFETIME_S * 1_000 || signedMs > clock.nowMs();
    if (failure !== undefined) return true;
    // What is much newer is shown again: what was shown first may have been too old for enough votes.
    return !isValidator && version < (this.#shown.get(relay) ?? Number.NEGATIVE_INFINITY) + SHOWN_VERSIONS;
  }

  /** Whose transactions these are. */
  get #reporter(): PublicKeyHex {
    const { voter, key } = this.#options;
    return voter?.canVote === true ? voter.publicKey : key.publicKey;
  }

  #isValidator(): boolean {
    return readValidators(this.#options.state).some(({ publicKey }) => publicKey === this.#reporter);
  }
}

function evidenceOf(tx: Transaction): DigestContradiction | undefined {
  const interpretation = tx.type === "SUSPEND_RELAY" ? interpretTransaction(tx) : undefined;
  return interpretation?.isOk === true ? (interpretation.payload as PayloadOf<"SUSPEND_RELAY">).evidence : undefined;
}
