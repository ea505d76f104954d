// Reports validators that contradicted themselves: one SLASH an offence, signed by the node's key. All nodes find much the same
// evidence, so each waits its turn and first checks whether another was faster: a second report would only cost its fee.
import { interpretTransaction } from "#node/ledger/check-transaction.ts";
import { readValidators } from "#node/ledger/records/records.ts";
import { isPunished } from "#node/ledger/records/validator-records.ts";
import { offencesOf } from "#node/ledger/transactions/validators/slash.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { minimumFeeUt } from "#shared/protocol/transactions/minimum-fee.ts";
import { encodePayload, type Misconduct, type PayloadOf } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import { canPayFee, type DutyContext, leastFeeOf, ownTransaction } from "./duty-context.ts";
import { offenceName } from "./equivocation.ts";
import type { EvidencePool, FoundEvidence } from "./evidence-pool.ts";

/** How long a node waits for each one whose turn is before its own, ms. */
export const TURN_MS = 2_000;
/** How often evidence that could not be reported is tried again, ms. */
const RETRY_MS = 30_000;
/** Reports that are under way at the same time. */
const MAX_REPORTS = 8;

/** What reporting needs beside the node's account. */
export interface EvidenceReporterOptions extends DutyContext {
  readonly pool: EvidencePool;
  readonly timers: Timers;
  readonly tipHeight: () => Height;
  /** Transactions that wait for a block, from whomever. */
  readonly pending: () => readonly Transaction[];
}

/** Reports what is and what comes into the pool. Returns the way to stop. */
export function reportEvidence(options: EvidenceReporterOptions): () => void {
  const reporter = new EvidenceReporter(options);
  reporter.start();
  return () => reporter.stop();
}

class EvidenceReporter {
  readonly #options: EvidenceReporterOptions;
  /** Own reports by offence. */
  readonly #submitted = new Map<string, string>();
  #cancel: CancelTimer | undefined;
  #stopListening: readonly (() => void)[] = [];
  #hasWarned = false;

  constructor(options: EvidenceReporterOptions) {
    this.#options = options;
  }

  start(): void {
    const { pool, onCommit } = this.#options;
    this.#stopListening = [pool.onAdded(() => this.#plan()), onCommit(() => this.#prune())];
    this.#prune();
    this.#plan();
  }

  stop(): void {
    this.#cancel?.();
    for (const stop of this.#stopListening) stop();
  }

  #prune(): void {
    const { pool, state, tipHeight, clock } = this.#options;
    if (pool.all().length === 0) return;
    pool.prune((evidence) => offencesOf(evidence).some((offence) => isPunished(state, offence)), tipHeight(), clock.nowMs());
    const open = new Set(pool.all().map(({ evidence }) => offenceName(evidence)));
    for (const name of this.#submitted.keys()) if (!open.has(name)) this.#submitted.delete(name);
  }

  /** Wakes when the next turn comes; what was tried is tried again after a while. Without evidence there is no timer. */
  #plan(overdueWaitMs = 0): void {
    const { pool, timers, clock } = this.#options;
    this.#cancel?.();
    this.#cancel = undefined;
    const waits = pool.all().map((found) => {
      const waitMs = this.#turnAtMs(found) - clock.nowMs();
      return waitMs > 0 ? Math.min(waitMs, RETRY_MS) : overdueWaitMs;
    });
    if (waits.length === 0) return;
    this.#cancel = timers.setTimer(Math.min(...waits), () => {
      this.#reportDue();
      this.#plan(RETRY_MS);
    });
  }

  #reportDue(): void {
    const { pool, isPending } = this.#options;
    this.#prune();
    // What a full mempool evicted is reported again.
    for (const [name, id] of this.#submitted) if (!isPending(id)) this.#submitted.delete(name);
    for (const item of pool.all().filter((found) => this.#isDue(found))) {
      if (this.#submitted.size >= MAX_REPORTS) return;
      if (!this.#isUnderWay(item.evidence)) this.#report(item.evidence);
    }
  }

  #report(evidence: Misconduct): void {
    const { submit, log } = this.#options;
    const payload = { evidence };
    const feeUt = minimumFeeUt(encodePayload<"SLASH">(payload), leastFeeOf(this.#options));
    const fee = canPayFee(this.#options, feeUt) ? feeUt : 0;
    const name = offenceName(evidence);
    const tx = ownTransaction(this.#options, { type: "SLASH", fee, payload });
    this.#submitted.set(name, tx.id);
    submit(tx).then(
      () => log.warn({ offence: name, report: tx.id }, "A validator contradicted itself and is reported"),
      (error: unknown) => {
        this.#submitted.delete(name);
        if (!this.#hasWarned) log.warn({ err: error, offence: name }, "A validator contradicted itself, but could not be reported yet");
        this.#hasWarned = true;
      },
    );
  }

  /** True while a report of the offence, this node's or another's, waits for its block. */
  #isUnderWay(evidence: Misconduct): boolean {
    const name = offenceName(evidence);
    return this.#submitted.has(name) || this.#options.pending().some((tx) => reportedOffence(tx) === name);
  }

  #isDue(found: FoundEvidence): boolean {
    return this.#turnAtMs(found) <= this.#options.clock.nowMs();
  }

  /** Validators in an order that changes with the height, so that no one reports always; others after them. */
  #turnAtMs({ evidence, foundAtMs }: FoundEvidence): number {
    const { state, key } = this.#options;
    const validators = readValidators(state);
    const index = validators.findIndex(({ publicKey }) => publicKey === key.publicKey);
    const position = index === -1 ? validators.length : (index + evidence.height) % validators.length;
    return foundAtMs + position * TURN_MS;
  }
}

function reportedOffence(tx: Transaction): string | undefined {
  if (tx.type !== "SLASH") return undefined;
  const interpretation = interpretTransaction(tx);
  return interpretation.isOk ? offenceName((interpretation.payload as PayloadOf<"SLASH">).evidence) : undefined;
}
