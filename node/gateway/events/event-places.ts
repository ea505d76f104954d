// Places in the events of a connection: what its program has acknowledged, kept over restarts, and cursors, which stand for a place and
// cannot be made by a program.
import { createHmac, timingSafeEqual } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { RandomBytes } from "#shared/util/clock.ts";

/** How far the events of a connection were read: each number is of what comes next. */
export interface EventPlace {
  /** Block whose transactions come next, … */
  readonly height: number;
  /** … but for so many of them. */
  readonly skip: number;
  /** Last line of the journal that was read. */
  readonly line: number;
  /** Last arrived message that was read; 0 before the first. */
  readonly message: number;
}

const KEY_BYTES = 32;
const MAC_BYTES = 16;
/** Connections whose place is kept: those that ended are forgotten in the order in which they acknowledged last. */
const KEPT_PLACES = 64;
/** Cursors of before messages were read lack the last number. */
const PLACE = /^(\d{1,15})\.(\d{1,9})\.(\d{1,15})(?:\.(\d{1,15}))?$/;

/** The places of all connections, in one file. */
export class EventPlaces {
  readonly #path: string;
  readonly #key: Uint8Array;
  readonly #acknowledged: Map<string, EventPlace>;

  /** A file that is damaged or not there begins again: cursors of before are then refused, and streams begin with their connection. */
  constructor(path: string, random: RandomBytes) {
    this.#path = path;
    const stored = readStored(path);
    this.#key = stored?.key ?? random(KEY_BYTES);
    this.#acknowledged = stored?.places ?? new Map();
    if (stored === undefined) this.#write();
  }

  /** Cursor of a place. */
  format(connection: string, place: EventPlace): string {
    const text = textOf(place);
    return `${text}.${this.#macOf(connection, text).toString("base64url")}`;
  }

  /** Place of a cursor. @throws CodedError BAD_REQUEST for one that this connection was not given */
  parse(connection: string, cursor: string): EventPlace {
    const end = cursor.lastIndexOf(".");
    const text = cursor.slice(0, Math.max(end, 0));
    const place = placeOf(text);
    const mac = Buffer.from(cursor.slice(end + 1), "base64url");
    const expected = this.#macOf(connection, text);
    if (place === undefined || mac.length !== MAC_BYTES || !timingSafeEqual(mac, expected))
      throw new CodedError("BAD_REQUEST", "The cursor is none of this connection's events", { details: { field: "cursor" } });
    return place;
  }

  /** Where a stream without a cursor begins; undefined before the first acknowledgement. */
  acknowledged(connection: string): EventPlace | undefined {
    return this.#acknowledged.get(connection);
  }

  /** Everything before this place is done; a place before the last one changes nothing. On disk when it returns. @throws CodedError STORAGE_UNWRITABLE */
  acknowledge(connection: string, place: EventPlace): void {
    const before = this.#acknowledged.get(connection);
    if (before !== undefined && !isAfter(place, before)) return;
    const next = { ...furthest(place, before) };
    this.#acknowledged.delete(connection);
    this.#acknowledged.set(connection, next);
    const [oldest] = this.#acknowledged.keys();
    if (this.#acknowledged.size > KEPT_PLACES && oldest !== undefined) this.#acknowledged.delete(oldest);
    this.#write();
  }

  #macOf(connection: string, text: string): Buffer {
    return createHmac("sha256", this.#key).update(`${connection} ${text}`).digest().subarray(0, MAC_BYTES);
  }

  #write(): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const places = Object.fromEntries([...this.#acknowledged].map(([connection, place]) => [connection, textOf(place)]));
    writeFileAtomic(this.#path, `${JSON.stringify({ version: 1, key: Buffer.from(this.#key).toString("base64"), places })}\n`);
  }
}

/** True when one of the sources was read further. */
function isAfter(place: EventPlace, other: EventPlace): boolean {
  return place.line > other.line || place.message > other.message || isChainAfter(place, other);
}

function isChainAfter({ height, skip }: EventPlace, other: EventPlace): boolean {
  return height > other.height || (height === other.height && skip > other.skip);
}

/** Sources are acknowledged each for itself: a cursor from before the last one takes nothing back. */
function furthest(place: EventPlace, other: EventPlace | undefined): EventPlace {
  if (other === undefined) return place;
  const { height, skip } = isChainAfter(place, other) ? place : other;
  return { height, skip, line: Math.max(place.line, other.line), message: Math.max(place.message, other.message) };
}

function textOf({ height, skip, line, message }: EventPlace): string {
  return `${height}.${skip}.${line}.${message}`;
}

function placeOf(text: string): EventPlace | undefined {
  const [, height, skip, line, message = 0] = PLACE.exec(text) ?? [];
  return line === undefined ? undefined : { height: Number(height), skip: Number(skip), line: Number(line), message: Number(message) };
}

function readStored(path: string): { readonly key: Uint8Array; readonly places: Map<string, EventPlace> } | undefined {
  try {
    const { version, key, places } = JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, unknown>>;
    const bytes = typeof key === "string" ? new Uint8Array(Buffer.from(key, "base64")) : new Uint8Array();
    if (version !== 1 || bytes.length !== KEY_BYTES || typeof places !== "object" || places === null) return undefined;
    const read = Object.entries(places).flatMap(([connection, text]): (readonly [string, EventPlace])[] => {
      const place = placeOf(String(text));
      return place === undefined ? [] : [[connection, place]];
    });
    return { key: bytes, places: new Map(read) };
  } catch {
    return undefined;
  }
}
