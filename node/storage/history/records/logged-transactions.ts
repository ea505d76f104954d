// Transactions that logged the lines of a page. They may be large, so that few are in memory at a time and their bytes are counted.
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { readReceipt } from "./record-groups.ts";
import type { RecordRepository } from "./record-repository.ts";

/** Transactions of lines that are in memory at a time. */
export const LOOKED_UP_AT_ONCE = 16;

/** What a page says of a transaction. */
export type LoggedTransaction = Pick<Receipt, "txId" | "logs">;

interface Known extends LoggedTransaction {
  readonly bytes: number;
}

/** Reads transactions of lines in the order of the lines: neighbours are looked up together. */
export class LoggedTransactions {
  readonly #records: RecordRepository;
  #known: ReadonlyMap<number, Known> = new Map();
  #waiting: readonly number[] = [];
  #last: number | undefined;
  #bytes = 0;

  constructor(records: RecordRepository) {
    this.#records = records;
  }

  /** Bytes of all that were asked for. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Names the lines whose transactions will be asked for next, in this order. */
  expect(lines: readonly { readonly seq: number }[]): void {
    this.#waiting = [...new Set(lines.map(({ seq }) => seq))];
  }

  /** The transaction of a line that is expected. @throws for one that is missing */
  at(seq: number): LoggedTransaction {
    let transaction = this.#known.get(seq);
    if (transaction === undefined) {
      this.#lookUp(this.#waiting.indexOf(seq));
      transaction = this.#known.get(seq);
    }
    assertInvariant(transaction !== undefined, `The log names the transaction ${seq}, which is missing`);
    if (seq !== this.#last) this.#bytes += transaction.bytes;
    this.#last = seq;
    return transaction;
  }

  #lookUp(from: number): void {
    const seqs = from < 0 ? [] : this.#waiting.slice(from, from + LOOKED_UP_AT_ONCE);
    this.#waiting = this.#waiting.slice(from + seqs.length);
    const records = this.#records.all(seqs);
    this.#known = new Map(
      seqs.flatMap((seq, index) => {
        const record = records[index];
        return record === undefined ? [] : [[seq, { ...readReceipt(record), bytes: record.length }] as const];
      }),
    );
  }
}
