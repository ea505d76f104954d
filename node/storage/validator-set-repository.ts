// Validator sets by the first height that they vote on: what past commits are checked against.
import { type CborValue, decodeCbor, encodeCbor } from "#shared/protocol/cbor.ts";
import type { Height } from "#shared/protocol/header.ts";
import type { ValidatorSet } from "#shared/protocol/validators.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { SqliteDatabase } from "./sqlite-database.ts";

/** Reads and writes validator sets. */
export class ValidatorSetRepository {
  readonly #insert;
  readonly #at;
  readonly #removeAbove;

  constructor(database: SqliteDatabase) {
    this.#insert = database.prepare<[number, Uint8Array]>("INSERT INTO validator_sets (from_height, validators) VALUES (?, ?)");
    this.#at = database
      .prepare<[number], Uint8Array>("SELECT validators FROM validator_sets WHERE from_height <= ? ORDER BY from_height DESC LIMIT 1")
      .pluck();
    this.#removeAbove = database.prepare<[number]>("DELETE FROM validator_sets WHERE from_height > ?");
  }

  /** Keeps the set that votes from a height on, until the next one. */
  insert(fromHeight: Height, validators: ValidatorSet): void {
    this.#insert.run(fromHeight, encodeCbor(validators.map(({ publicKey, bondUt }) => [publicKey, bondUt])));
  }

  /** The set that votes on a height; empty when the chain has none. */
  at(height: Height): ValidatorSet {
    const record = this.#at.get(height);
    if (record === undefined) return [];
    const list = decodeCbor(record);
    assertInvariant(Array.isArray(list), "A stored validator set is a list");
    return (list as readonly CborValue[]).map((item) => {
      const [publicKey, bondUt] = item as readonly [string, number];
      return { publicKey, bondUt };
    });
  }

  /** Forgets the sets that vote only after the block above a height. */
  removeAbove(height: Height): void {
    this.#removeAbove.run(height + 1);
  }
}
