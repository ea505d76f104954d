// Evidence that waits until the chain has punished the offence, in a file: a node that is killed forgets none of it.
import { readFileSync, renameSync } from "node:fs";
import { systemErrorCode } from "#node/config/files/file-errors.ts";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
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
    this.#found = new Map(readEvidence(path, log).map((found) => [offenceName(found.evidence), found]));
  }

  /** In the order in which it was found. */
  all(): readonly FoundEvidence[] {
    return [...this.#found.values()];
  }

  /** Stores evidence, durable on return; false when the offence is known or its validator has enough of them. */
  add(evidence: Misconduct, foundAtMs: number): boolean {
    const name = offenceName(evidence);
    const ofValidator = this.all().filter((found) => found.evidence.validator_pub === evidence.validator_pub).length;
    if (this.#found.has(name) || ofValidator >= MAX_EVIDENCE_PER_VALIDATOR) return false;
    this.#found.set(name, { evidence, foundAtMs });
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

  // In memory it works on: consensus must not stop because the disk takes no evidence.
  #save(): void {
    const evidence = this.all().map(({ evidence: proof, foundAtMs }) => ({ proof, found_at_ms: foundAtMs }));
    try {
      writeFileAtomic(this.#path, `${JSON.stringify({ version: VERSION, evidence } satisfies EvidenceFile)}\n`);
    } catch (error) {
      this.#log.warn({ err: error }, "Evidence against a validator could not be written; it is lost if the node stops now");
    }
  }
}

function readEvidence(path: string, log: Log): readonly FoundEvidence[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") log.warn({ err: error }, `The evidence in ${path} cannot be read`);
    return [];
  }
  try {
    return parseEvidence(text);
  } catch (error) {
    log.warn({ err: error }, `The evidence in ${path} is damaged; it was set aside as ${path}.damaged`);
    renameSync(path, `${path}.damaged`);
    return [];
  }
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
