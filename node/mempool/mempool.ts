// The pool of pending transactions: admission, order and eviction. It knows committed state only through interfaces.

import { isInTimeWindow, type TransactionProblem } from "#node/ledger/check-transaction.ts";
import type { TransactionContext } from "#node/ledger/context.ts";
import type { ContractVm } from "#node/ledger/contracts/contract-vm.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import { parseTransaction } from "#shared/protocol/transactions/parse-transaction.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { checkSubmitted, duplicate, isSameTransaction, memoWarning, refuse, type SubmissionChecks } from "./check-submitted.ts";
import { EvictionOrder, worthBehind, worthsOf } from "./eviction-order.ts";
import { MEMPOOL_LIMITS, type MempoolLimits } from "./mempool-limits.ts";
import { type PendingTransaction, pendingTransaction, URGENT_RANK } from "./pending-transaction.ts";
import { urgentCause } from "./reported-member.ts";
import { SenderQueue } from "./sender-queue.ts";
import { runsModule } from "./try-transaction.ts";
import { Victims } from "./victims.ts";

/** What the pool needs to know of the chain. */
export interface MempoolChain {
  readonly chainId: string;
  /** Parameters of the block after the tip, always the latest. */
  readonly params: NetworkParams;
  /** Runs the modules of contracts. */
  readonly vm: ContractVm;
  /** Committed state of the tip, always the latest. */
  readonly state: StateReader;
  tip(): { readonly height: number; readonly timeMs: number };
  /** True for an id committed in the last two hours of block time. */
  hasSeenId(id: string): boolean;
}

/** How the pool checks and what it may hold. */
export interface MempoolOptions extends SubmissionChecks {
  readonly limits?: MempoolLimits;
  /** True for the id of a transaction at which a process of this node died. */
  readonly isRefused?: (id: string) => boolean;
  /**
   * Tries out elsewhere what would run a module: why it would fail as the sender's only one in the next block, if that is known. With it no
   * module runs here.
   */
  readonly tryModule?: (tx: Transaction, nowMs: number) => Promise<TransactionProblem | undefined>;
}

/** A block that became final, with the receipts of its transactions. */
export interface Committed {
  readonly block: Pick<Block, "transactions">;
  readonly receipts: readonly Pick<Receipt, "touched">[];
}

/** Response to an accepted submission. */
export interface Submission {
  readonly id: string;
  readonly status: "accepted";
  /** What was dropped on the way in. */
  readonly warning?: string;
}

/** Expired transactions of a full pool are looked for at this pace. */
const EXPIRY_MS = 1_000;

/** Pending transactions of this node. */
export class Mempool {
  readonly #chain: MempoolChain;
  readonly #options: MempoolOptions;
  readonly #limits: MempoolLimits;
  readonly #entries = new Map<string, PendingTransaction>();
  readonly #senders = new Map<PublicKeyHex, SenderQueue>();
  readonly #order = new EvictionOrder();
  #bytes = 0;
  #largeBytes = 0;
  #arrivals = 0;
  /** Time for which expired transactions were last looked for. */
  #expiredMs = Number.NEGATIVE_INFINITY;

  constructor(chain: MempoolChain, options: MempoolOptions) {
    this.#chain = chain;
    this.#options = options;
    this.#limits = options.limits ?? MEMPOOL_LIMITS;
  }

  /** Number of pending transactions. */
  get size(): number {
    return this.#entries.size;
  }

  /** Sum of their encoded sizes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The pending transaction with an id. */
  get(id: string): Transaction | undefined {
    return this.#entries.get(id)?.tx;
  }

  /** All pending transactions in order of arrival. */
  all(): readonly Transaction[] {
    return [...this.#entries.values()].map(({ tx }) => tx);
  }

  /** True for the id of a pending transaction, of one committed lately, and of one that is not taken up again. */
  isKnown(id: string): boolean {
    return this.#entries.has(id) || this.#chain.hasSeenId(id) || this.#options.isRefused?.(id) === true;
  }

  /**
   * Checks a submitted transaction (parsed JSON) and takes it in. One that is pending or committed is accepted again: a client
   * that lost the first response sends it twice.
   * @throws CodedError TX_*, SENDER_LIMIT, LARGE_LIMIT or MEMPOOL_FULL: nothing was taken in.
   */
  async submit(raw: unknown, nowMs: number): Promise<Submission> {
    const { tx, memo } = parseTransaction(raw, this.#chain.chainId);
    if (this.#options.isRefused?.(tx.id) === true) throw duplicate(tx.id);
    if (this.isKnown(tx.id)) await this.#check(tx, nowMs);
    if ((this.isKnown(tx.id) || !(await this.#takeIn(tx, nowMs))) && !isSameTransaction(tx, this.get(tx.id))) throw duplicate(tx.id);
    return { id: tx.id, status: "accepted", ...memoWarning(tx, memo) };
  }

  /**
   * Checks a transaction in normal form, as it is decoded from bytes, and takes in this object, which keeps the encoding that it came in.
   * @throws CodedError as {@link Mempool.submit}, and TX_DUPLICATE
   */
  async receive(tx: Transaction, nowMs: number): Promise<void> {
    if (this.isKnown(tx.id) || !(await this.#takeIn(tx, nowMs))) throw duplicate(tx.id);
  }

  /**
   * Transactions for a block of the given time, reports of validators first, then best fee first. Those of one sender keep their order
   * of arrival: a transaction is worth the least of what it and its sender's earlier ones are.
   */
  candidates(blockTimeMs: number): readonly Transaction[] {
    const ranked = [...this.#senders.values()].flatMap(({ entries }) =>
      worthsOf([...entries].filter(({ timestampMs }) => isInTimeWindow(timestampMs, blockTimeMs))),
    );
    ranked.sort((a, b) => b.worth - a.worth || a.entry.arrival - b.entry.arrival);
    return ranked.map(({ entry }) => entry.tx);
  }

  /**
   * True when {@link candidates} has something for a block of the given time; when large transactions have to wait, without those and what
   * their senders sent after them.
   */
  hasPending(blockTimeMs: number, withLarge: boolean): boolean {
    return this.#ready(blockTimeMs, withLarge).next().done !== true;
  }

  /** What {@link Mempool.hasPending} finds, in order of arrival. */
  ready(blockTimeMs: number, withLarge: boolean): readonly Transaction[] {
    return [...this.#ready(blockTimeMs, withLarge)].sort((a, b) => a.arrival - b.arrival).map(({ tx }) => tx);
  }

  /** Takes transactions out, for instance those that a block being built found no longer executable. */
  remove(ids: Iterable<string>): void {
    this.#dropAll([...ids].flatMap((id) => this.#entries.get(id) ?? []));
  }

  /**
   * Follows a committed block, after the state has: takes out its transactions, expired ones, and those of the senders it
   * touched that can no longer be executed.
   */
  removeCommitted({ block, receipts }: Committed, nowMs: number): void {
    this.remove(block.transactions.map((tx) => tx.id));
    for (const queue of this.#senders.values()) queue.invalidate();
    const context = this.#context(nowMs);
    this.#expiredMs = Number.NEGATIVE_INFINITY;
    this.#dropExpired(context.timeMs);
    const touched = block.transactions.flatMap((tx, position) => [tx.from, tx.to, ...(receipts[position]?.touched ?? [])]);
    this.#recheck(new Set(touched), context);
  }

  /** False when the same transaction came in, or entered a block, while signature and module were checked. */
  async #takeIn(tx: Transaction, nowMs: number): Promise<boolean> {
    const { height } = this.#chain.tip();
    this.#checkSender(tx, this.#context(nowMs).timeMs);
    await this.#check(tx, nowMs);
    await this.#tryModule(tx, nowMs);
    const isKnown = this.#chain.tip().height === height ? this.#entries.has(tx.id) : this.isKnown(tx.id);
    if (!isKnown) this.#admit(tx, this.#context(nowMs));
    return !isKnown;
  }

  #check(tx: Transaction, nowMs: number): Promise<void> {
    const { chainId, timeMs, params } = this.#context(nowMs);
    return checkSubmitted(tx, { chainId, timeMs, minFeeUt: params.min_fee_ut }, this.#options);
  }

  *#ready(blockTimeMs: number, withLarge: boolean): Generator<PendingTransaction> {
    for (const { entries } of this.#senders.values()) {
      let isWaiting = false;
      for (const entry of entries) {
        if (!isInTimeWindow(entry.timestampMs, blockTimeMs)) continue;
        isWaiting ||= !withLarge && entry.largeBytes > 0;
        if (!isWaiting || entry.rank === URGENT_RANK) yield entry;
      }
    }
  }

  /** The surroundings of the next block, whose time is not before the tip's, with gas for trying out modules once. */
  #context(nowMs: number): TransactionContext {
    const { chainId, params, vm } = this.#chain;
    const { height, timeMs } = this.#chain.tip();
    // A call that gets no gas is taken to succeed.
    const trial = { gas: this.#options.tryModule === undefined ? this.#limits.trialGas : 0 };
    // What is in the pool is in no block: it was looked up on its way in, and a block takes its transactions out.
    const hasSeenId = (): boolean => false;
    const next = { height: height + 1, timeMs: Math.max(nowMs, timeMs) };
    return { chainId, params, vm, trial, ...next, gasLeft: params.max_block_gas, hasSeenId };
  }

  /** What costs less than a signature: room for the sender, money for the fee beside what pending payments take, and room in the pool. */
  #checkSender(tx: Transaction, timeMs: number): void {
    const queue = this.#senders.get(tx.from) ?? new SenderQueue(this.#chain.state);
    const { perSender, perSenderBytes } = this.#limits;
    if (queue.size >= perSender || (queue.size > 0 && queue.sizeBytes + encodeTransaction(tx).length > perSenderBytes))
      throw new CodedError("SENDER_LIMIT", `The sender has ${queue.size} pending transactions: wait for a block`);
    refuse(queue.feeProblemOf(tx));
    this.#victimsFor(this.#pending(tx), timeMs);
  }

  /** Only what the sender's pending payments precede: what his pending calls leave behind is not known elsewhere. @throws CodedError */
  async #tryModule(tx: Transaction, nowMs: number): Promise<void> {
    const { tryModule } = this.#options;
    if (tryModule === undefined || !runsModule(this.#chain.state, tx)) return;
    const queue = this.#senders.get(tx.from) ?? new SenderQueue(this.#chain.state);
    if (!queue.hasPaymentsOnly) return;
    refuse(queue.problemOf(tx, this.#context(nowMs)));
    refuse(await tryModule(tx, nowMs));
  }

  #pending(tx: Transaction): PendingTransaction {
    return pendingTransaction(tx, this.#arrivals, { isUrgent: this.#isUrgent(tx), block: this.#chain.params });
  }

  #admit(tx: Transaction, context: TransactionContext): void {
    this.#checkSender(tx, context.timeMs);
    const queue = this.#senders.get(tx.from) ?? new SenderQueue(this.#chain.state);
    refuse(queue.problemOf(tx, context));
    const entry = this.#pending(tx);
    const victims = this.#victimsFor(entry, context.timeMs);
    // Those of a sender go from the last one on: none that stays depended on them.
    this.#dropAll(victims);
    this.#order.add({ entry, worth: worthBehind(queue.entries, entry) });
    queue.append(entry);
    this.#senders.set(tx.from, queue);
    this.#entries.set(tx.id, entry);
    this.#bytes += entry.sizeBytes;
    this.#largeBytes += entry.largeBytes;
    this.#arrivals += 1;
  }

  /** True for the first report of a validator of the set, which takes it out, and for the first vote of one about a relay: a block takes it. */
  #isUrgent(tx: Transaction): boolean {
    const { state } = this.#chain;
    const cause = urgentCause(tx, state);
    if (cause === undefined) return false;
    return ![...this.#entries.values()].some((entry) => entry.rank === URGENT_RANK && urgentCause(entry.tx, state) === cause);
  }

  /** Drops what these senders can no longer execute. */
  #recheck(senders: ReadonlySet<PublicKeyHex>, context: TransactionContext): void {
    for (const publicKey of senders) {
      const queue = this.#senders.get(publicKey);
      for (const entry of queue?.removeStale(context) ?? []) this.#forget(entry);
      if (queue?.size === 0) this.#senders.delete(publicKey);
      else if (queue !== undefined) this.#order.update(queue.entries);
    }
  }

  /** What must go so that the entry fits. @throws CodedError MEMPOOL_FULL or LARGE_LIMIT when its fee does not beat theirs. */
  #victimsFor(entry: PendingTransaction, timeMs: number): Iterable<PendingTransaction> {
    const victims = new Victims();
    if (this.#fits(entry, victims)) return victims.entries;
    this.#dropExpired(timeMs);
    const worth = worthBehind(this.#senders.get(entry.tx.from)?.entries ?? [], entry);
    this.#addLargeVictims(victims, entry, worth / this.#limits.largeRaise);
    if (!this.#fitsAmongLarge(entry, victims))
      throw new CodedError("LARGE_LIMIT", "More large transactions wait than blocks take soon: offer a higher fee or try again later");
    for (const other of this.#order.all) {
      if (this.#fits(entry, victims) || other.worth >= worth) break;
      victims.add(other.entry);
    }
    if (this.#fits(entry, victims)) return victims.entries;
    throw new CodedError("MEMPOOL_FULL", "The pool of pending transactions is full: offer a higher fee or try again later");
  }

  /** Large transactions worth so much at most, up to room for another one, with what their senders sent later: that is worth no more. */
  #addLargeVictims(victims: Victims, entry: PendingTransaction, most: number): void {
    for (const other of this.#order.all) {
      if (this.#fitsAmongLarge(entry, victims) || other.worth > most) return;
      if (other.entry.largeBytes > 0) for (const later of this.#from(other.entry)) victims.add(later);
    }
  }

  /** A transaction and those that its sender sent after it. */
  #from(entry: PendingTransaction): readonly PendingTransaction[] {
    const entries = [...(this.#senders.get(entry.tx.from)?.entries ?? [])];
    return entries.slice(entries.indexOf(entry)).filter(({ rank }) => rank !== URGENT_RANK);
  }

  #fits(entry: PendingTransaction, victims: Victims): boolean {
    const { transactions, bytes } = this.#limits;
    if (this.#entries.size - victims.entries.size + 1 > transactions || !this.#fitsAmongLarge(entry, victims)) return false;
    return this.#bytes - victims.bytes + entry.sizeBytes <= bytes;
  }

  #fitsAmongLarge({ largeBytes }: PendingTransaction, victims: Victims): boolean {
    return largeBytes === 0 || this.#largeBytes - victims.largeBytes + largeBytes <= this.#limits.largeBytes;
  }

  #dropExpired(timeMs: number): void {
    if (Math.abs(timeMs - this.#expiredMs) < EXPIRY_MS) return;
    this.#expiredMs = timeMs;
    const isExpired = ({ timestampMs }: PendingTransaction): boolean => timestampMs <= timeMs && !isInTimeWindow(timestampMs, timeMs);
    this.#dropAll([...this.#entries.values()].filter(isExpired));
  }

  #dropAll(entries: Iterable<PendingTransaction>): void {
    const queues = new Set<SenderQueue>();
    for (const entry of entries) {
      const queue = this.#senders.get(entry.tx.from);
      queue?.remove(entry);
      if (queue?.size === 0) this.#senders.delete(entry.tx.from);
      else if (queue !== undefined) queues.add(queue);
      this.#forget(entry);
    }
    for (const queue of queues) this.#order.update(queue.entries);
  }

  #forget(entry: PendingTransaction): void {
    this.#entries.delete(entry.tx.id);
    this.#order.remove(entry);
    this.#bytes -= entry.sizeBytes;
    this.#largeBytes -= entry.largeBytes;
  }
}
