// public-cards.db of a data folder: the newest public card of each device that this node holds one of.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import {
  closeSqliteDatabase,
  type DatabaseKind,
  inImmediateTransaction,
  openSqliteDatabase,
  type SqliteDatabase,
} from "../sqlite-database.ts";

/** A card that was found right. */
export interface StoredCard {
  readonly device: X25519KeyHex;
  /** Whose device it is. */
  readonly person: PublicKeyHex;
  readonly number: number;
  /** As its device encoded it. */
  readonly card: Uint8Array;
}

/** Most cards, of all and of one person. */
export interface PublicCardBounds {
  readonly cards: number;
  readonly ofPerson: number;
}

/** File in a data folder. */
export const PUBLIC_CARDS_FILE = "public-cards.db";

const SCHEMA = `
CREATE TABLE public_cards (
  device TEXT PRIMARY KEY,
  person TEXT NOT NULL,
  number INTEGER NOT NULL,
  card BLOB NOT NULL
) STRICT;
CREATE INDEX public_cards_by_person ON public_cards (person);
CREATE INDEX public_cards_by_number ON public_cards (number);
`;

/** The file: "PRLC". */
export const PUBLIC_CARDS_DATABASE: DatabaseKind = { applicationId: 0x50_52_4c_43, initialSchema: SCHEMA, migrations: [] };
const CACHE_KIB = 1_024;

/** Cards by device. Synchronous; durable on return. */
export class PublicCardStore {
  readonly #database: SqliteDatabase;
  readonly #bounds: PublicCardBounds;
  readonly #find;
  readonly #count;
  readonly #countOfPerson;
  readonly #put;
  readonly #prune;

  constructor(database: SqliteDatabase, bounds: PublicCardBounds) {
    this.#database = database;
    this.#bounds = bounds;
    this.#find = database.prepare<[string], StoredCard>("SELECT device, person, number, card FROM public_cards WHERE device = ?");
    this.#count = database.prepare<[], number>("SELECT count(*) FROM public_cards").pluck();
    this.#countOfPerson = database
      .prepare<[string, string], number>("SELECT count(*) FROM public_cards WHERE person = ? AND device <> ?")
      .pluck();
    this.#put = database.prepare<[StoredCard]>(
      "INSERT OR REPLACE INTO public_cards (device, person, number, card) VALUES (@device, @person, @number, @card)",
    );
    this.#prune = database.prepare<[number]>("DELETE FROM public_cards WHERE number <= ?");
  }

  find(device: X25519KeyHex): StoredCard | undefined {
    return this.#find.get(device);
  }

  /** Takes the place of an earlier card of the device. Cards up to a number are forgotten first; false where there is no room for one more. */
  put(card: StoredCard, lastOver: number): boolean {
    return inImmediateTransaction(this.#database, () => {
      this.#prune.run(lastOver);
      const isOne = this.#find.get(card.device) !== undefined;
      if (!isOne && (this.#count.get() ?? 0) >= this.#bounds.cards) return false;
      if ((this.#countOfPerson.get(card.person, card.device) ?? 0) >= this.#bounds.ofPerson) return false;
      this.#put.run(card);
      return true;
    });
  }

  close(): void {
    closeSqliteDatabase(this.#database);
  }
}

/** True where a data folder has cards, or had. */
export function hasPublicCards(directory: string): boolean {
  return existsSync(join(directory, PUBLIC_CARDS_FILE));
}

/** Opens the file of a data folder, creating it when there is none. @throws CodedError as every database of the folder. */
export function openPublicCardStore(directory: string, bounds: PublicCardBounds): PublicCardStore {
  return new PublicCardStore(openSqliteDatabase(join(directory, PUBLIC_CARDS_FILE), PUBLIC_CARDS_DATABASE, CACHE_KIB), bounds);
}
