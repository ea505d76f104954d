// Evidence that waits until the chain has punished the offence, in a file: a node that is killed forgets none of it.

import { readEvidenceFile, writeEvidenceFile } from "#node/config/files/evidence-file.ts";
import { readPayload } from "#node/ledger/transactions/payload-fields.ts";
import { slash } from "#node/ledger/transactions/validators/slash.ts";
import type { Log } from "#node/observability/log.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Misconduct, PayloadOf } from "#shared/protocol/transactions/payload.ts";
import { offenceName } from "./equivocation.ts";

/** Evidence is dropped when it is older than both: a bond can be fetched by then, and an idle chain still had its time. */
export const EVIDENCE_AGE_MS = 21 * 86_400_000;
export const EVIDENCE_AGE_BLOCKS = 20_000;
/** Offences of one validator that are kept: the first one takes it out of the set, and more only fill the disk. */
export const MAX_EVIDENCE_PER_VALIDATOR = 32;
/** Bytes of the file beyond which only the first evidence against a validator is stored: it is written as a whole for each report. */
export const MAX_EVIDENCE_BYTES = 2_097_152;

/** What two votes with their fields take; headers come on top, each in quotes. */
const EVIDENCE_FRAME_BYTES = 700;
const QUOTES = 3;

const VERSION = 1;

/** Evidence with the time at which this node found it. */
export interface FoundEvidence {
  readonly evidence: Misconduct;
  readonly foundAtMs: number;
}

interface EvidenceFile {
  readonly version: typeof VERSION;
  readonly evidence: readonly { readonly proof: Misconduct; readonly found_at_ms: number }[];
}

/** Evidence of this node. */
export class EvidencePool {
  readonly #path: string;
  readonly #log: Log;
  readonly #found: Map<string, FoundEvidence>;
  readonly #listeners = new Set<() => void>();

  /** Opens the file at `path`; a damaged one is put aside with a warning. */
  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
    this.#found = new Map(readEvidenceFile(path, parseEvidence, log).map((found) => [offenceName(found.evidence), found]));
  }

  /** In the order in which it was found. */
  all(): readonly FoundEvidence[] {
    return [...this.#found.values()];
  }

  /** Stores evidence, durable on return; false when the offence is known or there is enough against its validator. */
  add(evidence: Misconduct, foundAtMs: number): boolean {
    return this.addAll([evidence], foundAtMs);
  }

  /** The same for evidence that was found together: it is written once. False when nothing of it is stored. */
  addAll(found: readonly Misconduct[], foundAtMs: number): boolean {
    const before = this.#found.size;
    for (const evidence of found) if (this.#hasRoomFor(evidence)) this.#found.set(offenceName(evidence), { evidence, foundAtMs });
    if (this.#found.size === before) return false;
    this.#save();
    for (const listener of this.#listeners) listener();
    return true;
  }

  /** Drops what is resolved, and what is too old for a chain of this height. */
  prune(isResolved: (evidence: Misconduct) => boolean, height: Height, nowMs: number): void {
    const gone = this.all().filter(({ evidence, foundAtMs }) => {
      const isOld = nowMs - foundAtMs > EVIDENCE_AGE_MS && height - evidence.height > EVIDENCE_AGE_BLOCKS;
      return isOld || isResolved(evidence);
    });
    for (const { evidence } of gone) this.#found.delete(offenceName(evidence));
    if (gone.length > 0) this.#save();
  }

  /** Calls back after something was added; returns the way to stop that. */
  onAdded(listener: () => void): () => void {
    this.#listeners.add(listener);
    return (): void => void this.#listeners.delete(listener);
  }

  #hasRoomFor(evidence: Misconduct): boolean {
    if (this.#found.has(offenceName(evidence))) return false;
    const ofValidator = this.all().filter((found) => found.evidence.validator_pub === evidence.validator_pub).length;
    if (ofValidator === 0) return true;
    const bytes = this.all().reduce((sum, found) => sum + bytesOf(found.evidence), bytesOf(evidence));
    return ofValidator < MAX_EVIDENCE_PER_VALIDATOR && bytes <= MAX_EVIDENCE_BYTES;
  }

  // Consensus must not stop because the disk takes no evidence.
  #save(): void {
    const evidence = this.all().map(({ evidence: proof, foundAtMs }) => ({ proof, found_at_ms: foundAtMs }));
    writeEvidenceFile(this.#path, { version: VERSION, evidence } satisfies EvidenceFile, { log: this.#log, whom: "a validator" });
  }
}

/** Bytes that evidence takes in the file, nearly. */
function bytesOf(evidence: Misconduct): number {
  const texts = evidence.step === "header" ? [...evidence.first.headers, evidence.second.header] : [];
  return texts.reduce((sum, text) => sum + text.length + QUOTES, EVIDENCE_FRAME_BYTES);
}

/** @throws Error when the text is not what {@link EvidencePool} writes. */
function parseEvidence(text: string): readonly FoundEvidence[] {
  const file = JSON.parse(text) as { readonly version?: unknown; readonly evidence?: unknown } | null;
  if (file?.version !== VERSION || !Array.isArray(file.evidence)) throw new TypeError("The file is not of this version");
  return file.evidence.map((item: { readonly proof?: unknown; readonly found_at_ms?: unknown } | null) => {
    const reading = readPayload<PayloadOf<"SLASH">>({ evidence: item?.proof }, slash.fields);
    if (!reading.isOk || typeof item?.found_at_ms !== "number") throw new TypeError("The file holds something else than evidence");
    return { evidence: reading.payload.evidence, foundAtMs: item.found_at_ms };
  });
}
