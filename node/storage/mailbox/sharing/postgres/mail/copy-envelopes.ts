// Copies envelopes into their table in the binary format, which takes half the time of rows that are inserted.
import { type Call, statement } from "../statement-batch.ts";
import type { NewEnvelope } from "../view/view-changes.ts";

const COLUMNS =
  "mailbox, seq, received_at, sent_at, fee_ut, received_day, bytes, room, is_hidden, is_authentic, id, party, tag, " +
  "sender_pub, sender_ed25519_pub, fee_sig, admit, nonce, ciphertext";
const COPY = statement("copy_envelopes", `COPY envelopes (${COLUMNS}) FROM STDIN (FORMAT binary)`);
const COLUMN_COUNT = 19;
/** "PGCOPY\n\xff\r\n\0", no flags, no extension. */
const HEADER = Buffer.concat([Buffer.from("PGCOPY\n\xff\r\n\0", "latin1"), Buffer.alloc(8)]);
const TRAILER = Buffer.from([0xff, 0xff]);
const LENGTH_BYTES = 4;
/** A row without its texts: number of columns, lengths, ten columns of at most eight bytes, two keys. */
const FIXED_BYTES = 2 + COLUMN_COUNT * LENGTH_BYTES + 10 * 8 + 2 * 32;

/** Copies in the order given. */
export function copyOf(envelopes: readonly NewEnvelope[]): Call {
  return { query: COPY, copied: Buffer.concat([HEADER, ...envelopes.map(rowOf), TRAILER]) };
}

function rowOf({ row, number, envelope, receivedAtSec, admit }: NewEnvelope): Buffer {
  const { id, party, tag } = row;
  const most = FIXED_BYTES + 3 * (id.length + party.length + tag.length + (envelope.fee_sig?.length ?? 0) + (admit?.length ?? 0));
  const bytes = new RowWriter(Buffer.allocUnsafe(most + envelope.nonce.length + envelope.ciphertext.length));
  bytes.int64(BigInt(number));
  bytes.int64(row.seq);
  bytes.int64(receivedAtSec);
  bytes.int64(envelope.sent_at);
  bytes.int64(envelope.fee_ut);
  bytes.int32(row.day);
  bytes.int32(row.bytes);
  bytes.int16(row.room);
  bytes.flag(row.isHidden);
  bytes.flag(row.isAuthentic);
  for (const text of [id, party, tag]) bytes.text(text, "utf8");
  bytes.text(envelope.sender_pub, "hex");
  bytes.text(envelope.sender_ed25519_pub, "hex");
  bytes.text(envelope.fee_sig, "utf8");
  bytes.text(admit ?? null, "utf8");
  bytes.text(envelope.nonce, "base64");
  bytes.text(envelope.ciphertext, "base64");
  return bytes.done();
}

/** Fields of one row behind each other, each with its length before it. */
class RowWriter {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#at = bytes.writeInt16BE(COLUMN_COUNT);
  }

  int16(value: number | null): void {
    if (value === null) this.#null();
    else this.#at = this.#bytes.writeInt16BE(value, this.#length(2));
  }

  int32(value: number): void {
    this.#at = this.#bytes.writeInt32BE(value, this.#length(4));
  }

  int64(value: number | bigint): void {
    this.#at = this.#bytes.writeBigInt64BE(BigInt(value), this.#length(8));
  }

  flag(value: boolean): void {
    this.#at = this.#bytes.writeUInt8(value ? 1 : 0, this.#length(1));
  }

  text(value: string | null, encoding: "utf8" | "hex" | "base64"): void {
    if (value === null) {
      this.#null();
      return;
    }
    const written = this.#bytes.write(value, this.#at + LENGTH_BYTES, encoding);
    this.#at = this.#length(written) + written;
  }

  done(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  #null(): void {
    this.#at = this.#bytes.writeInt32BE(-1, this.#at);
  }

  /** Where the field begins. */
  #length(length: number): number {
    return this.#bytes.writeInt32BE(length, this.#at);
  }
}
