// Who brought what waits in mailbox.db, and how much of it. A batch counts in memory, and its commit writes each source that it changed once.
import type { SqliteDatabase } from "../sqlite-database.ts";
import { LargestFirst } from "./largest-first.ts";

/** Who brought an envelope. */
export interface MailSource {
  /** Who is counted as one: a network of clients, another node, the node's own programs. */
  readonly party: string;
  /** One of the party's clients, as far as they are known. */
  readonly tag: string;
}

/** Envelopes whose source is not known. */
export const UNKNOWN_SOURCE: MailSource = { party: "", tag: "" };

/** What the node's own programs bring. */
export const OWN_PARTY = "own";

const CARRIED = "carried ";

/** What a carrier brings of nodes that are not seen here. */
export function carriedSource({ party, tag }: MailSource): MailSource {
  return { party: `${CARRIED}${party}`, tag };
}

/** True for a party of {@link carriedSource}. */
export function isCarriedParty(party: string): boolean {
  return party.startsWith(CARRIED);
}

/** Most parties and most sources that are counted apart: one party more is counted as unknown, one source more without its tag. */
export const MAX_PARTIES = 65_536;
export const MAX_SOURCES = 262_144;
/** Most tags of one party. */
export const MAX_TAGS = 256;

interface Source extends MailSource {
  readonly number: number;
  bytes: number;
}

interface Party {
  bytes: number;
  readonly sources: Map<string, Source>;
}

/** Tables of sources: what waits in mailboxes, and in open boxes. */
export type SourceTable = "mail_sources" | "open_sources";

/** Figures of all sources. Whatever changes them runs in a transaction that ends with {@link MailSources.write}. */
export class MailSources {
  readonly #parties = new Map<string, Party>();
  readonly #byNumber = new Map<number, Source>();
  readonly #changed = new Set<Source>();
  /** Made when the largest party is asked for. */
  #largest: LargestFirst<string> | undefined;
  #isLoaded = false;
  #bytes = 0;
  readonly #all;
  readonly #create;
  readonly #update;
  readonly #remove;

  constructor(database: SqliteDatabase, table: SourceTable = "mail_sources") {
    this.#all = database.prepare<[], Source>(`SELECT number, party, tag, bytes FROM ${table} ORDER BY number`);
    this.#create = database.prepare<[string, string]>(`INSERT INTO ${table} (party, tag, bytes) VALUES (?, ?, 0)`);
    this.#update = database.prepare<[number, number]>(`UPDATE ${table} SET bytes = ? WHERE number = ?`);
    this.#remove = database.prepare<[number]>(`DELETE FROM ${table} WHERE number = ?`);
  }

  /** Bytes that wait of all. */
  get bytes(): number {
    this.#load();
    return this.#bytes;
  }

  /** Number of a source, which is made when there is none. */
  numberOf(source: MailSource): number {
    this.#load();
    const { party, tag } = this.#boundedOf(source);
    const known = this.#parties.get(party)?.sources.get(tag);
    if (known !== undefined) return known.number;
    const made = { number: Number(this.#create.run(party, tag).lastInsertRowid), party, tag, bytes: 0 };
    this.#remember(made);
    this.#changed.add(made);
    return made.number;
  }

  /** Number of a source of which something waits. */
  find({ party, tag }: MailSource): number | undefined {
    this.#load();
    return this.#parties.get(party)?.sources.get(tag)?.number;
  }

  /** The party of a source. */
  partyOf(number: number): string {
    this.#load();
    return this.#byNumber.get(number)?.party ?? UNKNOWN_SOURCE.party;
  }

  /** Bytes that wait of a party. */
  bytesOf(party: string): number {
    this.#load();
    return this.#parties.get(party)?.bytes ?? 0;
  }

  /** Counts what came of a source, or with a negative figure what went or was read. */
  add(number: number, bytes: number): void {
    this.#load();
    const source = this.#byNumber.get(number);
    const party = source && this.#parties.get(source.party);
    if (source === undefined || party === undefined) return;
    source.bytes += bytes;
    party.bytes += bytes;
    this.#bytes += bytes;
    this.#changed.add(source);
    this.#largest?.set(source.party, party.bytes);
  }

  /** The party of which most waits. */
  largestParty(): string | undefined {
    this.#load();
    this.#largest ??= new LargestFirst([...this.#parties].map(([name, { bytes }]) => [name, bytes]));
    return this.#largest.first();
  }

  /** Number of the source of a party of which most waits. */
  largestSourceOf(party: string): number | undefined {
    this.#load();
    let largest: Source | undefined;
    for (const source of this.#parties.get(party)?.sources.values() ?? []) if (source.bytes > (largest?.bytes ?? 0)) largest = source;
    return largest?.number;
  }

  /** Writes what has changed: the last step of a transaction. */
  write(): void {
    for (const source of this.#changed) {
      if (source.bytes > 0) this.#update.run(source.bytes, source.number);
      else this.#drop(source);
    }
    this.#changed.clear();
  }

  /** The file says something else: a transaction failed. */
  forget(): void {
    this.#changed.clear();
    this.#parties.clear();
    this.#byNumber.clear();
    this.#largest = undefined;
    this.#isLoaded = false;
    this.#bytes = 0;
  }

  #load(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    for (const source of this.#all.all()) this.#remember(source);
  }

  /** The source as far as there is room to count it apart. */
  #boundedOf({ party, tag }: MailSource): MailSource {
    const known = this.#parties.get(party);
    if (known === undefined && this.#parties.size >= MAX_PARTIES) return UNKNOWN_SOURCE;
    const isFull = (known?.sources.size ?? 0) >= MAX_TAGS || this.#byNumber.size >= MAX_SOURCES;
    return isFull && known?.sources.has(tag) !== true ? { party, tag: "" } : { party, tag };
  }

  #remember(source: Source): void {
    const party = this.#parties.get(source.party) ?? { bytes: 0, sources: new Map<string, Source>() };
    party.bytes += source.bytes;
    this.#bytes += source.bytes;
    party.sources.set(source.tag, source);
    this.#parties.set(source.party, party);
    this.#byNumber.set(source.number, source);
    this.#largest?.set(source.party, party.bytes);
  }

  #drop({ number, party: name, tag }: Source): void {
    this.#remove.run(number);
    this.#byNumber.delete(number);
    const party = this.#parties.get(name);
    party?.sources.delete(tag);
    if (party?.sources.size === 0) this.#parties.delete(name);
  }
}
