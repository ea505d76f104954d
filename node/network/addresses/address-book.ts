// Addresses of nodes, in two tables of buckets (as Bitcoin Core's AddrMan). `new` holds what peers report, `tried` what was reached. The bucket
// of an address follows from a secret key, its provider and the provider of its reporter: one reporter reaches few buckets, and one provider's
// addresses few of the tried ones, so no one can fill the book with his own and have this node meet him alone.
import { createHash } from "node:crypto";
import { PEER_LIMITS } from "../peer-limits.ts";
import type { PeerName } from "../peer-network.ts";

/** An address of the book. Times are unix, ms; 0 for never. */
export interface BookEntry {
  /** Multiaddress without a peer. */
  readonly address: string;
  readonly peer: PeerName;
  /** Provider of the address. */
  readonly group: string;
  /** Provider of its reporter. */
  readonly source: string;
  readonly reportedAtMs: number;
  readonly triedAtMs: number;
  readonly reachedAtMs: number;
  /** Tries in vain since it was reached. */
  readonly failures: number;
}

/** An address as a peer reports it. */
export type ReportedAddress = Pick<BookEntry, "address" | "peer" | "group" | "source">;

/** What the book is made of. */
export interface AddressBookOptions {
  /** 32 secret bytes; the same in every run of a node. */
  readonly key: Uint8Array;
  /** In [0, 1). */
  readonly random: () => number;
  readonly nowMs: () => number;
}

interface Slot {
  readonly table: "new" | "tried";
  readonly bucket: number;
  readonly position: number;
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const MINUTE_MS = 60_000;
/** An address that was tried within this time is rarely picked. */
const RECENT_MS = 10 * MINUTE_MS;
const MAX_DISCOUNTED_FAILURES = 8;

/** The book. Each address has one slot; a slot that is taken is given away only when what it holds is of no use. */
export class AddressBook {
  readonly #options: AddressBookOptions;
  readonly #entries = new Map<string, BookEntry>();
  readonly #slots = new Map<string, Slot>();
  readonly #tables = { new: new Map<string, string>(), tried: new Map<string, string>() };

  constructor(options: AddressBookOptions) {
    this.#options = options;
  }

  /** Addresses in each table. */
  get sizes(): { readonly new: number; readonly tried: number } {
    return { new: this.#tables.new.size, tried: this.#tables.tried.size };
  }

  get entries(): readonly BookEntry[] {
    return [...this.#entries.values()];
  }

  /** Takes a reported address, when its slot has room. */
  add(reported: ReportedAddress): void {
    const nowMs = this.#options.nowMs();
    const known = this.#entries.get(reported.address);
    if (known !== undefined) {
      // A stranger says that another peer is there, and may lie: it is asked only when the one that is known was not found.
      const peer = known.reachedAtMs > 0 || known.failures === 0 ? known.peer : reported.peer;
      this.#entries.set(known.address, { ...known, peer, reportedAtMs: nowMs });
      return;
    }
    this.#place({ ...reported, reportedAtMs: nowMs, triedAtMs: 0, reachedAtMs: 0, failures: 0 }, "new");
  }

  /** The address is being dialled. */
  attempted(address: string): void {
    const known = this.#entries.get(address);
    if (known === undefined) return;
    this.#entries.set(address, { ...known, triedAtMs: this.#options.nowMs(), failures: known.failures + 1 });
  }

  /** A dial of the address did not fail. Where a name led to is an address of its own, which was reached. */
  answered(address: string): void {
    const known = this.#entries.get(address);
    if (known !== undefined) this.#entries.set(address, { ...known, failures: 0 });
  }

  /** The peer was reached there. */
  reached(reported: ReportedAddress): void {
    const nowMs = this.#options.nowMs();
    const known = this.#entries.get(reported.address);
    const entry = { ...(known ?? reported), peer: reported.peer };
    const reached = { ...entry, reportedAtMs: nowMs, triedAtMs: nowMs, reachedAtMs: nowMs, failures: 0 };
    if (this.#slots.get(reported.address)?.table === "tried") {
      this.#entries.set(reported.address, reached);
      return;
    }
    if (known !== undefined) this.#remove(reported.address);
    // Without a place among the tried ones it stays where it was.
    if (!this.#place(reached, "tried")) this.#place(reached, "new");
  }

  /**
   * An address to dial: of either table with the same chance, of any bucket with the same chance, and rather one that did not fail.
   * Undefined when none is allowed.
   */
  pick({ isNew, isAllowed }: { readonly isNew: boolean; readonly isAllowed: (entry: BookEntry) => boolean }): BookEntry | undefined {
    const { random } = this.#options;
    const { tried, new: fresh } = this.#tables;
    const isFresh = isNew || tried.size === 0 || (fresh.size > 0 && random() < 0.5);
    const found = this.#pickOf(isFresh ? "new" : "tried", isAllowed);
    return found ?? (isNew ? undefined : this.#pickOf(isFresh ? "tried" : "new", isAllowed));
  }

  /** Takes the entries of an earlier run. */
  restore(entries: readonly BookEntry[]): void {
    for (const entry of entries) {
      if (this.#entries.has(entry.address)) continue;
      const isTried = entry.reachedAtMs > 0 && this.#place(entry, "tried");
      if (!isTried) this.#place(entry, "new");
    }
  }

  #pickOf(table: "new" | "tried", isAllowed: (entry: BookEntry) => boolean): BookEntry | undefined {
    const { random, nowMs } = this.#options;
    const allowed = [...this.#tables[table].values()].flatMap((address) => this.#entries.get(address) ?? []).filter(isAllowed);
    const buckets = [...Map.groupBy(allowed, ({ address }) => this.#slots.get(address)?.bucket ?? 0).values()];
    for (let patience = 1; buckets.length > 0; patience *= 1.2) {
      const bucket = buckets[Math.floor(random() * buckets.length)] ?? [];
      const entry = bucket[Math.floor(random() * bucket.length)];
      if (entry !== undefined && random() < chanceOf(entry, nowMs()) * patience) return entry;
    }
    return undefined;
  }

  /** False when the slot is taken by an address that is of use. */
  #place(entry: BookEntry, table: "new" | "tried"): boolean {
    const slot = this.#slotOf(entry, table);
    const name = `${slot.bucket}/${slot.position}`;
    const occupant = this.#entries.get(this.#tables[table].get(name) ?? "");
    if (occupant !== undefined && !this.#givesWay(occupant, table)) return false;
    if (occupant !== undefined) {
      this.#remove(occupant.address);
      // One that was reached once is still better than a report.
      if (table === "tried") this.#place(occupant, "new");
    }
    this.#tables[table].set(name, entry.address);
    this.#slots.set(entry.address, slot);
    this.#entries.set(entry.address, entry);
    return true;
  }

  #givesWay(occupant: BookEntry, table: "new" | "tried"): boolean {
    const nowMs = this.#options.nowMs();
    if (isUseless(occupant, nowMs)) return true;
    // Tested before it goes: it was tried after it was reached, in vain, and some time ago.
    return table === "tried" && occupant.failures > 0 && distanceMs(nowMs, occupant.reachedAtMs) > PEER_LIMITS.triedForMs;
  }

  #remove(address: string): void {
    const slot = this.#slots.get(address);
    if (slot !== undefined) this.#tables[slot.table].delete(`${slot.bucket}/${slot.position}`);
    this.#slots.delete(address);
    this.#entries.delete(address);
  }

  #slotOf({ address, group, source }: BookEntry, table: "new" | "tried"): Slot {
    const { newBuckets, newBucketsPerSource, triedBuckets, triedBucketsPerProvider, bucketEntries } = PEER_LIMITS;
    const bucket =
      table === "new"
        ? this.#hash("new", source, this.#hash("of", group, source) % newBucketsPerSource) % newBuckets
        : this.#hash("tried", group, this.#hash("of", address) % triedBucketsPerProvider) % triedBuckets;
    return { table, bucket, position: this.#hash("at", table, bucket, address) % bucketEntries };
  }

  #hash(...parts: readonly (string | number)[]): number {
    return createHash("sha256").update(this.#options.key).update(JSON.stringify(parts)).digest().readUIntBE(0, 6);
  }
}

/** True for an address that no one needs to learn any more. */
function isUseless(entry: BookEntry, nowMs: number): boolean {
  const { reportedAtMs, triedAtMs, reachedAtMs, failures } = entry;
  if (distanceMs(nowMs, triedAtMs) < MINUTE_MS) return false;
  if (distanceMs(nowMs, reportedAtMs) > PEER_LIMITS.addressLifetimeMs) return true;
  if (reachedAtMs === 0) return failures >= PEER_LIMITS.newFailures;
  return failures >= PEER_LIMITS.triedFailures && distanceMs(nowMs, reachedAtMs) > WEEK_MS;
}

/** Time since something, ms. A clock that was set back leaves times in the future, which are as far away as they seem. */
export function distanceMs(nowMs: number, thenMs: number): number {
  return Math.abs(nowMs - thenMs);
}

function chanceOf({ triedAtMs, failures }: BookEntry, nowMs: number): number {
  const recent = distanceMs(nowMs, triedAtMs) < RECENT_MS ? 0.01 : 1;
  return recent * 0.66 ** Math.min(failures, MAX_DISCOUNTED_FAILURES);
}
