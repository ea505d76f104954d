// Collects the fees of the envelopes that clients handed to this relay: in batches, and only what brings more than it costs.
import { readRelay } from "#node/ledger/records/node-records.ts";
import { claimableFees } from "#node/relay/claimable-fees.ts";
import type { RelayClaimRepository } from "#node/storage/mailbox/relay-claim-repository.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { FREE_PAYLOAD_BYTES, MAX_RELAY_CLAIMS } from "#shared/protocol/primitives/limits.ts";
import type { RelayClaim } from "#shared/protocol/transactions/payload.ts";
import { utf8 } from "#shared/util/bytes.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import { canPayFee, type DutyContext, ownTransaction } from "./duty-context.ts";

/** How often a relay checks for fees to collect when no batch is full before. */
export const CLAIM_INTERVAL_MS = 600_000;
/** Claims that one pass reads; the next one continues from there. */
const CLAIMS_PER_POLL = 5_000;

/** What collecting needs beside the node's account. */
export interface RelayFeeOptions extends DutyContext {
  readonly timers: Timers;
  readonly claims: RelayClaimRepository;
  /** Calls back for each envelope that arrived; returns the way to stop that. */
  readonly onEnvelope: (listener: (envelope: Pick<Envelope, "fee_ut">) => void) => () => void;
}

/** Collects fees from now on. Returns the way to stop. */
export function collectRelayFees(options: RelayFeeOptions): () => void {
  const collector = new FeeCollector(options);
  collector.start();
  return () => collector.stop();
}

class FeeCollector {
  readonly #options: RelayFeeOptions;
  #cancel: CancelTimer = () => undefined;
  #stopListening: readonly (() => void)[] = [];
  #submittedId: string | undefined;
  #arrived = 0;
  #afterSeq = 0;

  constructor(options: RelayFeeOptions) {
    this.#options = options;
  }

  start(): void {
    const { onCommit, onEnvelope, isPending } = this.#options;
    this.#stopListening = [
      onEnvelope(({ fee_ut }) => {
        if (fee_ut === 0) return;
        this.#arrived += 1;
        if (this.#arrived >= MAX_RELAY_CLAIMS) this.#collect();
      }),
      // One batch after the other, while there is more than a batch can hold.
      onCommit(() => {
        if (this.#submittedId === undefined || isPending(this.#submittedId)) return;
        this.#submittedId = undefined;
        if (this.#options.claims.count >= MAX_RELAY_CLAIMS) this.#collect();
      }),
    ];
    this.#collect();
    this.#plan();
  }

  stop(): void {
    this.#cancel();
    for (const stop of this.#stopListening) stop();
  }

  #plan(): void {
    this.#cancel = this.#options.timers.setTimer(CLAIM_INTERVAL_MS, () => {
      this.#collect();
      this.#plan();
    });
  }

  #collect(): void {
    const { state, key, isPending, submit, log } = this.#options;
    this.#arrived = 0;
    if (this.#submittedId !== undefined && isPending(this.#submittedId)) return;
    if (readRelay(state, key.publicKey) === undefined || !canPayFee(this.#options)) return;
    const batch = this.#nextBatch();
    const feesUt = batch.reduce((sum, { fee_ut }) => sum + fee_ut, 0);
    const tx = ownTransaction(this.#options, { type: "RELAY_PROOF", payload: { claims: batch } });
    if (feesUt <= tx.fee) return;
    this.#submittedId = tx.id;
    submit(tx).then(
      () => log.info({ claims: batch.length, fees: formatAmount(feesUt) }, "Fees for relayed messages are being collected"),
      (error: unknown) => log.warn({ err: error }, "The fees for relayed messages could not be collected; this is retried later"),
    );
  }

  /** The best claims of those that this pass reads; forgets what is paid. */
  #nextBatch(): readonly RelayClaim[] {
    const { state, claims } = this.#options;
    const stored = claims.list(CLAIMS_PER_POLL, this.#afterSeq);
    this.#afterSeq = stored.length < CLAIMS_PER_POLL ? 0 : (stored.at(-1)?.seq ?? 0);
    const { claims: claimable, paid } = claimableFees(state, stored);
    claims.remove(paid);
    return worthTheirBytes(claimable.toSorted((a, b) => b.fee_ut - a.fee_ut).slice(0, MAX_RELAY_CLAIMS));
  }
}

/** Claims, the best first, up to the first that brings less than the larger payload would cost. */
function worthTheirBytes(claims: readonly RelayClaim[]): readonly RelayClaim[] {
  let bytes = 0;
  const end = claims.findIndex((claim) => {
    const claimBytes = utf8(JSON.stringify(claim)).length + 1;
    bytes += claimBytes;
    return bytes > FREE_PAYLOAD_BYTES && claim.fee_ut <= claimBytes;
  });
  return end === -1 ? claims : claims.slice(0, end);
}
