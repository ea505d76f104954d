// JSON of a mailbox's page out of its rows.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";

/** Columns of a listed row besides `fits` and `ciphertext`. */
export const LIST_COLUMNS = "seq, id, sender_pub, sender_ed25519_pub, fee_ut, sent_at, nonce";

/** A row of a page; without ciphertext where it does not fit. */
export interface ListedRow {
  readonly seq: number;
  readonly id: string;
  readonly sender_pub: Buffer;
  readonly sender_ed25519_pub: Buffer;
  readonly fee_ut: number;
  readonly sent_at: number;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer | null;
  readonly fits: boolean;
}

/** 9999-12-31T23:59:59Z, the last time that RFC 3339 can write. */
const LAST_WRITABLE_SECOND = 253_402_300_799;

/** Items with commas between them. Only an id can need an escape. */
export function listText(rows: readonly ListedRow[], recipientPub: X25519KeyHex): string {
  return rows.map((row) => itemText(row, recipientPub)).join(",");
}

/** Lower-case hex. */
export function hexOfBuffer(bytes: Buffer): string {
  return bytes.toString("hex");
}

function itemText(row: ListedRow, recipientPub: X25519KeyHex): string {
  const { seq, id, fee_ut, sent_at, nonce, ciphertext } = row;
  const senders = `"sender_pub":"${hexOfBuffer(row.sender_pub)}","sender_ed25519_pub":"${hexOfBuffer(row.sender_ed25519_pub)}"`;
  const human = new Date(Math.min(sent_at, LAST_WRITABLE_SECOND) * 1000).toISOString().replace(".000Z", "Z");
  const content = `"nonce":"${nonce.toString("base64")}","ciphertext":"${ciphertext?.toString("base64") ?? ""}"`;
  return (
    `{"id":${JSON.stringify(id)},"seq":${seq},${senders},"recipient_pub":"${recipientPub}","fee_ut":${fee_ut},"sent_at":${sent_at},` +
    `"sent_at_human":"${human}",${content}}`
  );
}
