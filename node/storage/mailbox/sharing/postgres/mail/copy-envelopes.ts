// Copies envelopes into their table in the binary format, which takes half the time of rows that are inserted.
import { finished } from "node:stream/promises";
import { from } from "pg-copy-streams";
import type { PostgresSession } from "../postgres-database.ts";
import type { NewEnvelope } from "../view/view-changes.ts";

const COLUMNS =
  "mailbox, seq, received_at, sent_at, fee_ut, received_day, bytes, room, is_hidden, is_authentic, id, party, tag, " +
  "sender_pub, sender_ed25519_pub, fee_sig, admit, nonce, ciphertext";
const COPY = `COPY envelopes (${COLUMNS}) FROM STDIN (FORMAT binary)`;
const COLUMN_COUNT = 19;
/** "PGCOPY\n\xff\r\n\0", no flags, no extension. */
const HEADER = Buffer.concat([Buffer.from("PGCOPY\n\xff\r\n\0", "latin1"), Buffer.alloc(8)]);
const TRAILER = Buffer.from([0xff, 0xff]);
const NULL = int32(-1);

/** Copies in the order given. */
export async function copyEnvelopes(session: PostgresSession, envelopes: readonly NewEnvelope[]): Promise<void> {
  const stream = session.client.query(from(COPY));
  const copied = finished(stream);
  stream.end(Buffer.concat([HEADER, ...envelopes.flatMap(rowOf), TRAILER]));
  await copied;
}

function rowOf({ row, number, envelope, receivedAtSec, admit }: NewEnvelope): readonly Buffer[] {
  return [
    int16(COLUMN_COUNT),
    field(int64(BigInt(number))),
    field(int64(row.seq)),
    field(int64(receivedAtSec)),
    field(int64(envelope.sent_at)),
    field(int64(envelope.fee_ut)),
    field(int32(row.day)),
    field(int32(row.bytes)),
    row.room === null ? NULL : field(int16(row.room)),
    field(Buffer.from([row.isHidden ? 1 : 0])),
    field(Buffer.from([row.isAuthentic ? 1 : 0])),
    field(Buffer.from(row.id)),
    field(Buffer.from(row.party)),
    field(Buffer.from(row.tag)),
    field(Buffer.from(envelope.sender_pub, "hex")),
    field(Buffer.from(envelope.sender_ed25519_pub, "hex")),
    envelope.fee_sig === null ? NULL : field(Buffer.from(envelope.fee_sig)),
    admit === undefined ? NULL : field(Buffer.from(admit)),
    field(Buffer.from(envelope.nonce, "base64")),
    field(Buffer.from(envelope.ciphertext, "base64")),
  ];
}

function field(bytes: Buffer): Buffer {
  return Buffer.concat([int32(bytes.length), bytes]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int64(value: number | bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}
