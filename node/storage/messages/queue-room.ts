// Room in mail-queue.db: what waits is counted by who handed it in, and who has most waiting loses first. A part is for mail to open boxes,
// which strangers' mail never displaces; nothing displaces mail of this node's own programs.
import { type MailSource, MailSources, OWN_PARTY } from "../mailbox/mail-sources.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";

/** Rooms of the queue, as their rows say. */
const ROOMS = { other: 0, open: 1, own: 2 } as const;
type Room = (typeof ROOMS)[keyof typeof ROOMS];

/** An envelope that comes. */
export interface Comer {
  readonly source: MailSource;
  /** True for mail that its open box admits. */
  readonly isOpen: boolean;
  readonly bytes: number;
}

/** Where it is counted. */
export interface QueuePlace {
  readonly room: Room;
  /** Number of its source; 0 for the node's own programs. */
  readonly source: number;
}

/** A row of the queue that goes for another one. */
interface Row {
  readonly seq: number;
  readonly bytes: number;
}

/** Envelopes that go for one that comes, at most. */
const MOST_EVICTED = 1_024;
/** Part of all bytes that mail to open boxes may take. */
const OPEN_PART = 0.5;
/** Rows of the time before sources were counted have this one. */
const OLD_SOURCE = 1;

/** Sources and days, of a queue whose rows take so many bytes beside their content. */
export function queueRoomSchema(rowBytes: number): string {
  const sources = (table: string): string =>
    `CREATE TABLE ${table} (number INTEGER PRIMARY KEY, party TEXT NOT NULL, tag TEXT NOT NULL, bytes INTEGER NOT NULL,
      UNIQUE (party, tag)) STRICT;`;
  return `
ALTER TABLE queued ADD COLUMN room INTEGER NOT NULL DEFAULT ${ROOMS.other};
ALTER TABLE queued ADD COLUMN source INTEGER NOT NULL DEFAULT ${OLD_SOURCE};
CREATE INDEX queued_by_source ON queued (room, source, seq);
${sources("mail_sources")}
${sources("open_sources")}
INSERT INTO mail_sources (number, party, tag, bytes)
  SELECT ${OLD_SOURCE}, '', '', sum(length(content) + ${rowBytes}) FROM queued HAVING count(*) > 0;
CREATE TABLE mail_days (party TEXT PRIMARY KEY, day INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;
}

/** Finds room. Whatever changes it runs in a transaction that ends with {@link QueueRoom.write}. */
export class QueueRoom {
  readonly #maxBytes: number;
  readonly #other: MailSources;
  readonly #open: MailSources;
  #ownBytes = 0;
  readonly #sumOwn;
  readonly #oldest;

  constructor(database: SqliteDatabase, maxBytes: number, rowBytes: number) {
    this.#maxBytes = maxBytes;
    this.#other = new MailSources(database, "mail_sources");
    this.#open = new MailSources(database, "open_sources");
    this.#sumOwn = database
      .prepare<[number], number>(`SELECT coalesce(sum(length(content) + ${rowBytes}), 0) FROM queued WHERE room = ?`)
      .pluck();
    this.#oldest = database.prepare<[number, number], Row>(
      `SELECT seq, length(content) + ${rowBytes} AS bytes FROM queued WHERE room = ? AND source = ? ORDER BY seq LIMIT 1`,
    );
    this.#ownBytes = this.#sumOwn.get(ROOMS.own) ?? 0;
  }

  /** Bytes of all that waits. */
  get bytes(): number {
    return this.#ownBytes + this.#other.bytes + this.#open.bytes;
  }

  /** Where an envelope that comes is counted, once `evict` has made room for it; undefined where there is none. */
  find({ source, isOpen, bytes }: Comer, evict: (seq: number) => void): QueuePlace | undefined {
    const room = source.party === OWN_PARTY ? ROOMS.own : isOpen ? ROOMS.open : ROOMS.other;
    const { party } = source;
    for (let evicted = 0; evicted <= MOST_EVICTED; evicted += 1) {
      const isOverPart = room === ROOMS.open && this.#open.bytes + bytes > this.#maxBytes * OPEN_PART;
      if (!isOverPart && this.bytes + bytes <= this.#maxBytes) return this.#placeOf(room, source);
      const going = this.#nextToGo(room, isOverPart, { party, bytes });
      if (going === undefined) return undefined;
      evict(going.seq);
    }
    return undefined;
  }

  /** Counts what came to a place, or with a negative figure what went. */
  add({ room, source }: QueuePlace, bytes: number): void {
    if (room === ROOMS.own) this.#ownBytes += bytes;
    else this.#sourcesOf(room).add(source, bytes);
  }

  write(): void {
    this.#other.write();
    this.#open.write();
  }

  /** The file says something else: a transaction failed. */
  forget(): void {
    this.#other.forget();
    this.#open.forget();
    this.#ownBytes = this.#sumOwn.get(ROOMS.own) ?? 0;
  }

  #placeOf(room: Room, source: MailSource): QueuePlace {
    return { room, source: room === ROOMS.own ? 0 : this.#sourcesOf(room).numberOf(source) };
  }

  #sourcesOf(room: Room): MailSources {
    return room === ROOMS.open ? this.#open : this.#other;
  }

  /** The row that goes next; undefined where nothing goes for what comes. */
  #nextToGo(room: Room, isOverPart: boolean, comer: { readonly party: string; readonly bytes: number }): Row | undefined {
    if (room === ROOMS.own) return this.#oldestOfLargest(ROOMS.other) ?? this.#oldestOfLargest(ROOMS.open);
    // Inside the part of open boxes, all other mail goes for what comes to one.
    if (room === ROOMS.open && !isOverPart) return this.#oldestOfLargest(ROOMS.other);
    return this.#oldestOfLargest(room, comer);
  }

  /** What the largest party has had here longest, where it would still have more than the one that comes. */
  #oldestOfLargest(room: Room, comer?: { readonly party: string; readonly bytes: number }): Row | undefined {
    const sources = this.#sourcesOf(room);
    const largest = sources.largestParty();
    if (largest === undefined) return undefined;
    const isFair =
      comer === undefined || (largest !== comer.party && sources.bytesOf(largest) > sources.bytesOf(comer.party) + comer.bytes);
    const source = isFair ? sources.largestSourceOf(largest) : undefined;
    return source === undefined ? undefined : this.#oldest.get(room, source);
  }
}
