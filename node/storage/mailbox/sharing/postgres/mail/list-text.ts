// JSON of a mailbox's page out of its rows.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";

/** Columns of a listed row besides `fits` and `ciphertext`. */
export const LIST_COLUMNS =
  "seq, id, encode(sender_pub, 'hex') AS sender_pub, encode(sender_ed25519_pub, 'hex') AS sender_ed25519_pub, fee_ut, sent_at, " +
  "encode(nonce, 'base64') AS nonce";

/** A row of a page; without ciphertext where it does not fit. */
export interface ListedRow {
  readonly seq: number;
  readonly id: string;
  readonly sender_pub: string;
  readonly sender_ed25519_pub: string;
  readonly fee_ut: number;
  readonly sent_at: number;
  /** Base64 in lines, as the server writes it; the same of the ciphertext. */
  readonly nonce: string;
  readonly ciphertext: string | null;
  readonly fits: boolean;
}

/** 9999-12-31T23:59:59Z, the last time that RFC 3339 can write. */
const LAST_WRITABLE_SECOND = 253_402_300_799;

/** Items with commas between them. Only an id can need an escape. */
export function listText(rows: readonly ListedRow[], recipientPub: X25519KeyHex): string {
  const texts = rows.map((row) => itemText(row, recipientPub)).join(",");
  // Only base64 has ends of lines: one pass over the page takes less than one over each text.
  return texts.replaceAll("\n", "");
}

/** Lower-case hex. */
export function hexOfBuffer(bytes: Buffer): string {
  return bytes.toString("hex");
}

function itemText(row: ListedRow, recipientPub: X25519KeyHex): string {
  const { seq, id, fee_ut, sent_at, nonce, ciphertext } = row;
  const senders = `"sender_pub":"${row.sender_pub}","sender_ed25519_pub":"${row.sender_ed25519_pub}"`;
  const human = new Date(Math.min(sent_at, LAST_WRITABLE_SECOND) * 1000).toISOString().replace(".000Z", "Z");
  const content = `"nonce":"${nonce}","ciphertext":"${ciphertext ?? ""}"`;
  return (
    `{"id":${JSON.stringify(id)},"seq":${seq},${senders},"recipient_pub":"${recipientPub}","fee_ut":${fee_ut},"sent_at":${sent_at},` +
    `"sent_at_human":"${human}",${content}}`
  );
}
