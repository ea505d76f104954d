// What waits to be sent, in memory: entries in order, each with the time of its next attempt. Nothing here sends.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { OutboxRecord, OutboxTask } from "../../model/records.ts";
import { COVER_WAITS } from "./cover-waits.ts";

const FIRST_DELAY_MS = 2_000;
const LAST_DELAY_MS = 300_000;
/** Entries that are attempted together: a message for all members of a group. Chunks of files are large, so fewer of them. */
const ROUND_ENTRIES = 128;
const ROUND_CHUNKS = 4;

/** One entry with its attempts of this run. */
export interface OutboxEntry {
  readonly record: OutboxRecord;
  readonly attempts: number;
  /** Of the next attempt after one that failed, monotonic milliseconds. */
  readonly dueMs: number;
  /** Nothing of it leaves before, likewise. */
  readonly leavesMs: number;
  /** Devices that get theirs later, and when, likewise. */
  readonly laterMs: ReadonlyMap<X25519KeyHex, number>;
}

/** True for an entry that is not to leave now. */
export type IsHeld = (record: OutboxRecord) => boolean;
const NONE_HELD: IsHeld = () => false;

/** Entries by sequence number. */
export class OutboxQueue {
  /** What devices were sent because they asked for it. */
  readonly served = new ServedChunks();
  readonly #entries = new Map<number, OutboxEntry>();
  readonly #clock: Clock;
  /** When the last of what waits for a device has its turn, monotonic milliseconds; of times to come. */
  readonly #lastMs = new Map<X25519KeyHex, number>();
  #lastSeq: number;
  /** The program ends: nothing waits at random any more. */
  #isCoverOver = false;

  constructor(records: readonly OutboxRecord[], lastSeq: number, clock: Clock) {
    this.#lastSeq = lastSeq;
    this.#clock = clock;
    for (const record of records) this.set(record);
  }

  nextSeq(): number {
    this.#lastSeq += 1;
    return this.#lastSeq;
  }

  get(seq: number): OutboxEntry | undefined {
    return this.#entries.get(seq);
  }

  /** Adds or changes an entry; attempts and due times of one that is there stay. */
  set(record: OutboxRecord): void {
    const known = this.#entries.get(record.seq);
    const { attempts = 0, dueMs = 0 } = known ?? {};
    const isSame = known?.record.leavesAt === record.leavesAt;
    const leavesMs = isSame ? (known?.leavesMs ?? 0) : this.#ownTime(record.leavesAt, COVER_WAITS.receipts.mostMs);
    const laterMs = new Map(
      Object.entries(record.later ?? {}).map(([device, atMs]) => [device, known?.laterMs.get(device) ?? this.#laterTime(device, atMs)]),
    );
    for (const [device, dueMs] of laterMs) this.#lastMs.set(device, Math.max(dueMs, this.#lastMs.get(device) ?? 0));
    this.#entries.set(record.seq, { record, attempts, dueMs, leavesMs, laterMs });
  }

  /** A stored time on the monotonic clock. The other clock may have been set since: it makes nothing wait longer than anything waits. */
  #ownTime(atMs: number | undefined, longestMs: number): number {
    if (atMs === undefined || this.#isCoverOver) return 0;
    return this.#clock.monotonicMs() + Math.min(Math.max(0, atMs - this.#clock.nowMs()), longestMs);
  }

  /** Never before what was to wait for the device already: two clocks are not the same to a fraction of a millisecond. */
  #laterTime(device: X25519KeyHex, atMs: number): number {
    if (this.#isCoverOver) return 0;
    const nowMs = this.#clock.monotonicMs();
    for (const [other, lastMs] of this.#lastMs) if (lastMs <= nowMs) this.#lastMs.delete(other);
    return Math.max(this.#ownTime(atMs, COVER_WAITS.further.mostMs), this.#lastMs.get(device) ?? 0);
  }

  /** Milliseconds until a device that gets something later has its turn; undefined where it does not wait. */
  waitFor(seq: number, device: X25519KeyHex): number | undefined {
    const laterMs = this.#entries.get(seq)?.laterMs.get(device);
    return laterMs === undefined ? undefined : Math.max(0, laterMs - this.#clock.monotonicMs());
  }

  /** Milliseconds until a device has got the last of what waits for it: what is queued after that does not overtake it. */
  longestWaitFor(device: X25519KeyHex): number {
    const waits = [...this.#entries.values()].map(({ record: { done, isFailed }, laterMs }) =>
      isFailed || done.includes(device) ? 0 : (laterMs.get(device) ?? 0),
    );
    return Math.max(0, Math.max(0, ...waits) - this.#clock.monotonicMs());
  }

  /** Entries whose random time to leave has not come by then, monotonic milliseconds: nothing of them is under way. */
  notLeavingBefore(monotonicMs: number): readonly OutboxRecord[] {
    return [...this.#entries.values()].filter(({ leavesMs }) => leavesMs > monotonicMs).map(({ record }) => record);
  }

  /** True while a receipt for a person is about to leave for a device: it will carry the acknowledgement. */
  holdsReceiptFor(peer: PublicKeyHex, device: X25519KeyHex): boolean {
    return [...this.#entries.values()].some(
      ({ record: { task, leavesAt, done, ...record }, attempts }) =>
        task.kind === "receipt" && leavesAt !== undefined && attempts === 0 && record.peer === peer && !done.includes(device),
    );
  }

  /** True where nothing waits but for its random time: what comes now overtakes nothing that is under way. */
  isAtRest(nowMs: number): boolean {
    return this.waiting.every((entry) => entry.attempts === 0 && entry.dueMs <= nowMs && coveredUntil(entry) > nowMs);
  }

  /** Ends all random waits; true where something waited. What waits for another attempt does so still. */
  endCover(): boolean {
    this.#isCoverOver = true;
    const nowMs = this.#clock.monotonicMs();
    let isSome = false;
    for (const [seq, entry] of this.#entries) {
      if (entry.record.isFailed || coveredUntil(entry) <= nowMs) continue;
      isSome = true;
      this.#entries.set(seq, { ...entry, leavesMs: 0, laterMs: new Map([...entry.laterMs.keys()].map((device) => [device, 0])) });
    }
    return isSome;
  }

  get isCoverOver(): boolean {
    return this.#isCoverOver;
  }

  delete(seq: number): void {
    this.#entries.delete(seq);
  }

  /** Entries that are waiting, not those that the person must try again. */
  get waiting(): readonly OutboxEntry[] {
    return [...this.#entries.values()].filter(({ record }) => !record.isFailed).sort((a, b) => a.record.seq - b.record.seq);
  }

  get waitingMessages(): number {
    const keys = this.waiting.flatMap(({ record: { task, isRelayed } }) => (task.kind === "message" && !isRelayed ? [task.key] : []));
    return new Set(keys).size;
  }

  /** Contents that wait to be sent again to a device. */
  countFor(device: X25519KeyHex): number {
    return [...this.#entries.values()].filter(({ record: { task } }) => task.kind === "again" && task.device === device).length;
  }

  /** True while the content of a position in the sender chain to a device is on its way. */
  holdsPosition(device: X25519KeyHex, position: number): boolean {
    return [...this.#entries.values()].some(({ record: { task, places: sequenceNumbers } }) =>
      task.kind === "again" ? task.device === device && task.position === position : sequenceNumbers?.[device] === position,
    );
  }

  /** Ids of contents in the chain of the pair with a device that are on their way there. */
  contentsFor(device: X25519KeyHex): ReadonlySet<string> {
    const records = [...this.#entries.values()].map(({ record }) => record).filter(({ done }) => !done.includes(device));
    return new Set(records.flatMap(({ given }) => given?.[device]?.id ?? []));
  }

  /** Chunks of files that wait for a device which asked for them: id of the message and number. */
  chunksFor(device: X25519KeyHex): ReadonlySet<string> {
    const tasks = [...this.#entries.values()].map(({ record: { task } }) => task);
    return new Set(tasks.flatMap((task) => (task.kind === "chunk" && task.device === device ? [`${task.id} ${task.index}`] : [])));
  }

  /** Entries of a message alone: one, or one for each member of its group. */
  messageEntriesOf(key: string): readonly OutboxRecord[] {
    return this.entriesOf(key).filter(({ task }) => task.kind === "message");
  }

  /** Entries of a message: itself, and the chunks of its file. */
  entriesOf(key: string): readonly OutboxRecord[] {
    return [...this.#entries.values()]
      .map(({ record }) => record)
      .filter(({ task }) => (task.kind === "message" || task.kind === "chunk") && task.key === key);
  }

  /**
   * The next entries, to be attempted together. Chunks of files wait for everything else, and go together only for one content, or for one
   * device that asked for them. Nothing of one person overtakes anything else of theirs. `isHeld`: entries that are not to leave now.
   */
  nextRound(nowMs: number, isHeld: IsHeld = NONE_HELD): readonly OutboxEntry[] {
    const due = this.waiting.filter((entry) => dueOf(entry) <= nowMs && !isHeld(entry.record));
    const others = due.filter(({ record }) => record.task.kind !== "chunk");
    if (others.length > 0) return others.slice(0, ROUND_ENTRIES);
    const content = due[0] && chunkOf(due[0].record.task);
    const end = due.findIndex(({ record }) => chunkOf(record.task) !== content);
    return due.slice(0, end < 0 ? ROUND_CHUNKS : Math.min(end, ROUND_CHUNKS));
  }

  /** Milliseconds until the next attempt, or undefined when nothing waits but what is held. */
  delayMs(nowMs: number, isHeld: IsHeld = NONE_HELD): number | undefined {
    const due = this.waiting.filter(({ record }) => !isHeld(record)).map(dueOf);
    return due.length === 0 ? undefined : Math.max(0, Math.min(...due) - nowMs);
  }

  /** Puts the next attempt off: twice as long each time, spread by a quarter up and down. */
  postpone(seq: number, nowMs: number, spread: number): void {
    const entry = this.#entries.get(seq);
    if (entry === undefined) return;
    const delay = Math.min(LAST_DELAY_MS, FIRST_DELAY_MS * 2 ** entry.attempts) * (0.75 + spread / 2);
    this.#entries.set(seq, { ...entry, attempts: entry.attempts + 1, dueMs: nowMs + delay });
  }

  /** Makes entries due at once. */
  retryNow(seq?: number): void {
    for (const [key, entry] of this.#entries)
      if (seq === undefined || seq === key) this.#entries.set(key, { ...entry, attempts: 0, dueMs: 0 });
  }
}

function dueOf(entry: OutboxEntry): number {
  return Math.max(entry.dueMs, coveredUntil(entry));
}

/** Until when everything that is left of an entry waits at random. After a failed attempt something is left that does not. */
function coveredUntil({ attempts, leavesMs, laterMs, record: { done } }: OutboxEntry): number {
  const later = [...laterMs].filter(([device]) => !done.includes(device)).map(([, dueMs]) => dueMs);
  return attempts > 0 || later.length === 0 ? leavesMs : Math.max(leavesMs, Math.min(...later));
}

/** Chunks that one device gets on request in a day: four of the largest files. */
const MAX_SERVED_A_DAY = 2_400;
/** Devices whose requests are counted; of the others the counts begin again. */
const MAX_COUNTED_DEVICES = 1_024;
const DAY_MS = 86_400_000;

/** Counts what devices ask for: who asks without end gets no more. */
export class ServedChunks {
  readonly #counts = new Map<X25519KeyHex, { readonly day: number; readonly count: number }>();

  /** Takes so many of what a device may get today; false, and nothing, where that is too much. */
  take(device: X25519KeyHex, nowMs: number, count: number): boolean {
    const day = Math.floor(nowMs / DAY_MS);
    const known = this.#counts.get(device);
    const next = (known?.day === day ? known.count : 0) + count;
    if (next > MAX_SERVED_A_DAY) return false;
    this.#counts.delete(device);
    const [oldest] = this.#counts.keys();
    if (oldest !== undefined && this.#counts.size >= MAX_COUNTED_DEVICES) this.#counts.delete(oldest);
    this.#counts.set(device, { day, count: next });
    return true;
  }
}

/** What is the same in the entries of one chunk for several people, and in those of a file that one device asked for. */
function chunkOf(task: OutboxTask): string | undefined {
  return task.kind === "chunk" ? `${task.id} ${task.device ?? task.index}` : undefined;
}
