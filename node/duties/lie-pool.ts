// Digests of keepers that contradict each other, until the chain has suspended the keeper, in a file: a node that is killed forgets none.

import { readEvidenceFile, writeEvidenceFile } from "#node/config/files/evidence-file.ts";
import { readPayload } from "#node/ledger/transactions/payload-fields.ts";
import { suspendRelay } from "#node/ledger/transactions/relays/suspend-relay.ts";
import type { Log } from "#node/observability/log.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { DigestContradiction, PayloadOf } from "#shared/protocol/transactions/payload.ts";

/** Relays of which evidence is stored, one of each: the one that proves something for longest. */
export const MAX_LIARS = 256;

const VERSION = 1;

/** Evidence with the time at which this node got it. */
export interface FoundLie {
  readonly evidence: DigestContradiction;
  readonly foundAtMs: number;
}

/** Evidence that was checked: both signatures are the relay's. */
export class LiePool {
  readonly #path: string;
  readonly #log: Log;
  readonly #found: Map<PublicKeyHex, FoundLie>;
  readonly #listeners = new Set<() => void>();

  /** Opens the file at `path`; a damaged one is put aside with a warning. */
  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
    this.#found = new Map(readEvidenceFile(path, parseLies, log).map((found) => [found.evidence.relay_pub, found]));
  }

  get size(): number {
    return this.#found.size;
  }

  has(relayPub: PublicKeyHex): boolean {
    return this.#found.has(relayPub);
  }

  all(): readonly FoundLie[] {
    return [...this.#found.values()];
  }

  /** Stores evidence; false where there is some against the relay that is as new, or no room. */
  add(evidence: DigestContradiction, foundAtMs: number): boolean {
    return this.addAll([evidence], foundAtMs);
  }

  /** The same for evidence that came together: it is written once. False when nothing of it is stored. */
  addAll(found: readonly DigestContradiction[], foundAtMs: number): boolean {
    let isChanged = false;
    for (const evidence of found) {
      const { relay_pub: relay, version } = evidence;
      const known = this.#found.get(relay);
      // A liar that brings what is nearly too old itself does not keep out what was found later.
      if (known === undefined ? this.#found.size >= MAX_LIARS : known.evidence.version >= version) continue;
      this.#found.set(relay, { evidence, foundAtMs: known?.foundAtMs ?? foundAtMs });
      isChanged = true;
    }
    if (!isChanged) return false;
    this.#save();
    for (const listener of this.#listeners) listener();
    return true;
  }

  remove(relays: readonly PublicKeyHex[]): void {
    const removed = relays.filter((relay) => this.#found.delete(relay));
    if (removed.length > 0) this.#save();
  }

  /** Calls back after something was added; returns the way to stop that. */
  onAdded(listener: () => void): () => void {
    this.#listeners.add(listener);
    return (): void => void this.#listeners.delete(listener);
  }

  #save(): void {
    const lies = this.all().map(({ evidence, foundAtMs }) => ({ evidence, found_at_ms: foundAtMs }));
    writeEvidenceFile(this.#path, { version: VERSION, lies }, { log: this.#log, whom: "a keeper" });
  }
}

/** Evidence of a file. @throws Error when the text is not what {@link LiePool} writes. */
export function parseLies(text: string): readonly FoundLie[] {
  const file = JSON.parse(text) as { readonly version?: unknown; readonly lies?: unknown } | null;
  if (file?.version !== VERSION || !Array.isArray(file.lies)) throw new TypeError("The file is not of this version");
  return file.lies.slice(0, MAX_LIARS).map((item: { readonly evidence?: unknown; readonly found_at_ms?: unknown } | null) => {
    const evidence = readEvidence({ evidence: item?.evidence });
    if (evidence === undefined || typeof item?.found_at_ms !== "number") throw new TypeError("The file holds something else than evidence");
    return { evidence, foundAtMs: item.found_at_ms };
  });
}

/** The evidence of a payload in JSON; undefined where it has another form. Signatures are not checked. */
export function readEvidence(payload: unknown): DigestContradiction | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  const reading = readPayload<PayloadOf<"SUSPEND_RELAY">>({ ...payload }, suspendRelay.fields);
  return reading.isOk ? reading.payload.evidence : undefined;
}
