// Everything that a node does on the chain by itself once it runs, and what evidence of consensus becomes.
import type { Evidence } from "#node/consensus/effects.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import type { Misconduct } from "#shared/protocol/transactions/payload.ts";
import { equivocationOf } from "./equivocation.ts";
import type { EvidencePool } from "./evidence-pool.ts";
import { type EvidenceReporterOptions, reportEvidence } from "./evidence-reporter.ts";
import { type HeartbeatOptions, sendHeartbeats } from "./heartbeats.ts";
import { type LieReporterOptions, reportLies } from "./lie-reporter.ts";
import { collectRelayFees, type RelayFeeOptions } from "./relay-fees.ts";

/** What the duties need together. An `intervalMs` of 0 is for no heartbeats. */
export type NodeDutyOptions = EvidenceReporterOptions & LieReporterOptions & HeartbeatOptions & RelayFeeOptions;

/** Starts all duties. Returns the way to stop them. */
export function startDuties(options: NodeDutyOptions): () => void {
  const heartbeats = options.intervalMs === 0 ? undefined : sendHeartbeats(options);
  const stops = [reportEvidence(options), reportLies(options), collectRelayFees(options), heartbeats];
  return () => {
    for (const stop of stops) stop?.();
  };
}

/** Stores what consensus found, durable on return; `validators` is the set of the height that the evidence speaks of. */
export function storeEvidence(pool: EvidencePool, evidence: Evidence, validators: ValidatorSet, nowMs: number): void {
  const found = equivocationOf(evidence, validators);
  if (found !== undefined) pool.add(found, nowMs);
}

/** Stores what blocks beside the chain prove, durable on return. @returns how many validators are proven guilty, known offences included */
export function storeMisconduct(pool: EvidencePool, found: readonly Misconduct[], nowMs: number): number {
  pool.addAll(found, nowMs);
  return found.length;
}
