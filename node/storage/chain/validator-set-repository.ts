// Validator sets by the first height that they vote on: what past commits are checked against.
import { type Codec, decode, encode } from "#shared/codec/codec.ts";
import { list, record } from "#shared/codec/composites.ts";
import { integer, textUpTo } from "#shared/codec/scalars.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";

/** [[key as text, bond]…] */
const setCodec: Codec<ValidatorSet> = list(record({ publicKey: textUpTo(64), bondUt: integer() }));

/** Reads and writes validator sets. */
export class ValidatorSetRepository {
  readonly #insert;
  readonly #at;
  readonly #since;
  readonly #removeAbove;
  readonly #removeBetween;
  readonly #next;
  readonly #move;
  readonly #replace;

  constructor(database: SqliteDatabase) {
    this.#insert = database.prepare<[number, Uint8Array]>("INSERT INTO validator_sets (from_height, validators) VALUES (?, ?)");
    this.#at = database
      .prepare<[number], Uint8Array>("SELECT validators FROM validator_sets WHERE from_height <= ? ORDER BY from_height DESC LIMIT 1")
      .pluck();
    this.#since = database.prepare<{ readonly height: number }, { readonly fromHeight: Height; readonly validators: Uint8Array }>(
      `SELECT from_height AS fromHeight, validators FROM validator_sets
      WHERE from_height >= coalesce((SELECT max(from_height) FROM validator_sets WHERE from_height <= @height), 0) ORDER BY from_height`,
    );
    this.#removeBetween = database.prepare<[number, number]>("DELETE FROM validator_sets WHERE from_height >= ? AND from_height <= ?");
    this.#next = database.prepare<[number], { readonly fromHeight: Height; readonly validators: Uint8Array }>(
      "SELECT from_height AS fromHeight, validators FROM validator_sets WHERE from_height >= ? ORDER BY from_height LIMIT 1",
    );
    // A row may begin at the height though it is of another set: it was split off for the heights above.
    this.#replace = database.prepare<[number, Uint8Array]>(
      "INSERT INTO validator_sets (from_height, validators) VALUES (?, ?) ON CONFLICT DO UPDATE SET validators = excluded.validators",
    );
    this.#move = database.prepare<[number, number]>("UPDATE validator_sets SET from_height = ? WHERE from_height = ?");
    this.#removeAbove = database.prepare<[number]>("DELETE FROM validator_sets WHERE from_height > ?");
  }

  /** Keeps the set that votes from a height on, until the next one. */
  insert(fromHeight: Height, validators: ValidatorSet): void {
    this.#insert.run(fromHeight, encode(setCodec, validators));
  }

  /**
   * Keeps the set of a single block below `firstHeader`, from which on each block has its header; what is known of other heights stays. One
   * row does for neighbours with the same set where nothing was known of the heights between them.
   */
  insertSingle(height: Height, validators: ValidatorSet, firstHeader: Height): void {
    const bytes = encode(setCodec, validators);
    const known = this.#at.get(height);
    const next = this.#next.get(height + 1);
    const isSame = next !== undefined && next.fromHeight < firstHeader && equalBytes(next.validators, bytes);
    if (known === undefined && isSame) {
      this.#move.run(height, next.fromHeight);
      return;
    }
    this.#replace.run(height, bytes);
    if (known !== undefined && next?.fromHeight !== height + 1) this.#insert.run(height + 1, known);
  }

  /** The set that votes on a height; empty when the chain has none. */
  at(height: Height): ValidatorSet {
    const record = this.#at.get(height);
    return record === undefined ? [] : decode(setCodec, record);
  }

  /** The set that votes on a height and all later ones, each with the first height that it votes on, in order. */
  since(height: Height): readonly { readonly fromHeight: Height; readonly validators: ValidatorSet }[] {
    return this.#since.all({ height }).map(({ fromHeight, validators }) => ({ fromHeight, validators: decode(setCodec, validators) }));
  }

  /** Forgets which sets begin to vote at one height up to another one. */
  removeBetween(first: Height, last: Height): void {
    this.#removeBetween.run(first, last);
  }

  /** Forgets the sets that vote only after the block above a height. */
  removeAbove(height: Height): void {
    this.#removeAbove.run(height + 1);
  }
}
