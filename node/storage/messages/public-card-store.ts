// public-cards.db of a data folder: the newest public card of each device of a person that this node holds one of.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PublicCardOwner } from "#shared/protocol/pairs/card-id.ts";
import {
  closeSqliteDatabase,
  type DatabaseKind,
  inImmediateTransaction,
  openSqliteDatabase,
  type SqliteDatabase,
} from "../sqlite-database.ts";

/** A card that was found right. */
export interface StoredCard extends PublicCardOwner {
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

/** Two people may publish the same key. Cards of before were of a device, whoever it was said to be of. */
const BY_PERSON = `
CREATE TABLE cards_of_people (
  device TEXT NOT NULL,
  person TEXT NOT NULL,
  number INTEGER NOT NULL,
  card BLOB NOT NULL,
  PRIMARY KEY (device, person)
) STRICT;
INSERT INTO cards_of_people (device, person, number, card) SELECT device, person, number, card FROM public_cards;
DROP TABLE public_cards;
ALTER TABLE cards_of_people RENAME TO public_cards;
CREATE INDEX public_cards_by_person ON public_cards (person);
CREATE INDEX public_cards_by_number ON public_cards (number);
`;

/** The file: "PRLC". */
export const PUBLIC_CARDS_DATABASE: DatabaseKind = {
  applicationId: 0x50_52_4c_43,
  initialSchema: SCHEMA,
  migrations: [{ version: 1, up: (database): void => void database.exec(BY_PERSON) }],
};
const CACHE_KIB = 1_024;

/** Cards by their owners. Synchronous; durable on return. */
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
    this.#find = database.prepare<[string, string], StoredCard>(
      "SELECT device, person, number, card FROM public_cards WHERE device = ? AND person = ?",
    );
    this.#count = database.prepare<[], number>("SELECT count(*) FROM public_cards").pluck();
    this.#countOfPerson = database
      .prepare<[string, string], number>("SELECT count(*) FROM public_cards WHERE person = ? AND device <> ?")
      .pluck();
    this.#put = database.prepare<[StoredCard]>(
      "INSERT OR REPLACE INTO public_cards (device, person, number, card) VALUES (@device, @person, @number, @card)",
    );
    this.#prune = database.prepare<[number]>("DELETE FROM public_cards WHERE number <= ?");
  }

  find({ device, person }: PublicCardOwner): StoredCard | undefined {
    return this.#find.get(device, person);
  }

  /** Takes the place of an earlier card of its owner. Cards up to a number are forgotten first; false where there is no room for one more. */
  put(card: StoredCard, lastOver: number): boolean {
    return inImmediateTransaction(this.#database, () => {
      this.#prune.run(lastOver);
      const isOne = this.#find.get(card.device, card.person) !== undefined;
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
