// What a keeper remembers of watches through carriers, in typed arrays: 161 bytes each, the box and its carrier among them.
import { randomBytes } from "node:crypto";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { concatBytes, fromHex } from "#shared/util/bytes.ts";
import { HashChains } from "../serving/hash-chains.ts";
import { enlarged, WatchRows } from "../serving/watch-rows.ts";
import { EXCHANGE_BYTES } from "./carry-seal.ts";

const TOKEN_BYTES = 16;
const SECRET_BYTES = 16;

/** A watch as it is stored. */
export interface CarriedRow {
  readonly box: X25519KeyHex;
  /** Number of the carrier. */
  readonly carrier: number;
  /** Hex of 16 bytes. */
  readonly token: string;
  /** Those of a `CarriedExchange`. */
  readonly exchange: Uint8Array;
  /** The box was opened by way of the same carrier. */
  readonly isProven: boolean;
  /** When it is over, seconds of the clock that runs on. */
  readonly untilS: number;
}

/** Rows with their tokens. A row that is over leaves its number to another one, which has another turn. */
export class CarriedRows {
  readonly #rows = new WatchRows();
  readonly #secret = randomBytes(SECRET_BYTES);
  readonly #byToken = new HashChains(this.#rows.capacity);
  #capacity = this.#rows.capacity;
  #tokens = Buffer.alloc((this.#capacity + 1) * TOKEN_BYTES);
  #exchanges = Buffer.alloc((this.#capacity + 1) * EXCHANGE_BYTES);
  #untilS = new Uint32Array(this.#capacity + 1);
  #numbers = new Uint32Array(this.#capacity + 1);
  #turns = new Uint32Array(this.#capacity + 1);

  get size(): number {
    return this.#rows.size;
  }

  add({ box, carrier, token, exchange, isProven, untilS }: CarriedRow): number {
    const row = this.#rows.add(box, carrier, isProven);
    if (this.#rows.capacity > this.#capacity) this.#grow();
    this.#tokens.write(token, row * TOKEN_BYTES, "hex");
    this.#exchanges.set(exchange, row * EXCHANGE_BYTES);
    this.#untilS[row] = untilS;
    this.#numbers[row] = 0;
    this.#turns[row] = ((this.#turns[row] ?? 0) + 1) >>> 0;
    this.#byToken.add(row, this.#hashOf(token));
    return row;
  }

  remove(row: number): void {
    if (this.#rows.ownerOf(row) === 0) return;
    this.#byToken.remove(row);
    this.#rows.remove(row);
    this.#untilS[row] = 0;
    this.#exchanges.fill(0, row * EXCHANGE_BYTES, (row + 1) * EXCHANGE_BYTES);
  }

  /** The row of a carrier's token. */
  find(carrier: number, token: string): number | undefined {
    for (const row of this.#byToken.of(this.#hashOf(token))) if (this.carrierOf(row) === carrier && this.tokenOf(row) === token) return row;
    return undefined;
  }

  ofBox(box: X25519KeyHex): readonly number[] {
    return this.#rows.ofBox(box);
  }

  oldestOf(carrier: number, most: number, isProven: boolean): readonly number[] {
    return this.#rows.oldestOf(carrier, most, isProven);
  }

  countOf(carrier: number): { readonly unproven: number; readonly proven: number } {
    return this.#rows.countOf(carrier);
  }

  boxOf(row: number): X25519KeyHex {
    return this.#rows.boxOf(row);
  }

  /** 0 for a row that is over. */
  carrierOf(row: number): number {
    return this.#rows.ownerOf(row);
  }

  isProven(row: number): boolean {
    return this.#rows.isProven(row);
  }

  tokenOf(row: number): string {
    return this.#tokens.toString("hex", row * TOKEN_BYTES, (row + 1) * TOKEN_BYTES);
  }

  exchangeOf(row: number): Uint8Array {
    return this.#exchanges.subarray(row * EXCHANGE_BYTES, (row + 1) * EXCHANGE_BYTES);
  }

  /** Tells a row from earlier ones of the same number. */
  turnOf(row: number): number {
    return this.#turns[row] ?? 0;
  }

  /** Number of the next news of a row, from 1 on. */
  nextNumber(row: number): number {
    const number = (this.#numbers[row] ?? 0) + 1;
    this.#numbers[row] = number;
    return number;
  }

  /** Rows that are over at a time. */
  overAt(nowS: number): readonly number[] {
    const over: number[] = [];
    for (let row = 1; row <= this.#capacity; row += 1) {
      const untilS = this.#untilS[row] ?? 0;
      if (untilS !== 0 && untilS <= nowS) over.push(row);
    }
    return over;
  }

  #grow(): void {
    this.#capacity = this.#rows.capacity;
    const rows = this.#capacity + 1;
    this.#tokens = Buffer.concat([this.#tokens], rows * TOKEN_BYTES);
    this.#exchanges = Buffer.concat([this.#exchanges], rows * EXCHANGE_BYTES);
    this.#untilS = enlarged(this.#untilS, rows);
    this.#numbers = enlarged(this.#numbers, rows);
    this.#turns = enlarged(this.#turns, rows);
    this.#byToken.grow(this.#capacity);
  }

  #hashOf(token: string): number {
    const [a = 0, b = 0, c = 0, d = 0] = nativeSha256(concatBytes(this.#secret, fromHex(token)));
    return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  }
}
