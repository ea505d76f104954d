// Bytes of the journal of connections:
//   "PARLEYAJ" | version u8 | number of the first line u48 | hash before it (32) | frames
//   frame: length u16 | XChaCha20-Poly1305 of a line, with the hash of the line before as associated data
// A line's hash is SHA-256 of the hash before and the line. So no line can be changed, moved or left out in the middle; that the last ones
// are missing shows in the file of connections and on the chain.
import { encode, type TypeOf, tryDecode } from "#shared/codec/codec.ts";
import { record } from "#shared/codec/composites.ts";
import { bytesUpTo, integer, numbered, textUpTo } from "#shared/codec/scalars.ts";
import { openPart, sealPart } from "#shared/keyring/vault/vault-cipher.ts";
import { sha256, ZERO_HASH } from "#shared/protocol/primitives/hash.ts";
import { concatBytes, equalBytes, utf8 } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import { MAX_CONNECTION_NUMBER, MAX_ORDER_NUMBER } from "../judging/payment-salt.ts";
import { JOURNAL_ACTIONS, JOURNAL_OUTCOMES } from "../messages/journal-lines.ts";

const VERSION = 1;
const MAGIC = utf8("PARLEYAJ");
const HEAD_BYTES = MAGIC.length + 7 + 32;
const LENGTH_BYTES = 2;

const lineCodec = record(
  {
    /** From 1. */
    n: integer(1),
    height: integer(),
    /** Both clocks, as far as they were seen, unix ms. */
    atMs: integer(),
    blockMs: integer(),
    /** Time of budgets. */
    budgetMs: integer(),
    /** Number of the connection. */
    connection: integer(1, MAX_CONNECTION_NUMBER),
    action: numbered(JOURNAL_ACTIONS, "action"),
    /** Recipient's key, `contract.method`, id of an invoice, or conversation of a message. */
    subject: textUpTo(96),
    amountUt: integer(),
    outcome: numbered(JOURNAL_OUTCOMES, "outcome"),
    /** First 16 bytes of the hashes of idempotency key and body; empty without one. */
    keyHash: bytesUpTo(16),
    bodyHash: bytesUpTo(16),
    /** Salt and digest of the transaction's id, or empty. */
    txId: bytesUpTo(40),
    /** Number of the order in its connection; 0 without one. */
    order: integer(0, MAX_ORDER_NUMBER),
    /** Timestamp of the transaction, or when an invoice expires, unix ms; of a change of grants, the generation of their file. */
    timeMs: integer(),
  },
  1,
);

/** A line as stored. */
export type JournalLine = TypeOf<typeof lineCodec>;

/** What comes before the first line that is there. */
export interface JournalHead {
  readonly firstN: number;
  /** Hash of the line before. */
  readonly hash: Uint8Array;
}

/** A line with its hash. */
export interface HashedLine {
  readonly line: JournalLine;
  readonly prev: Uint8Array;
  readonly hash: Uint8Array;
}

/** What a journal's bytes hold. */
export interface ParsedJournal {
  readonly head: JournalHead;
  readonly lines: readonly HashedLine[];
  /** Bytes up to the last good line. */
  readonly goodBytes: number;
  /** More is unreadable than a last line that was not written to its end. */
  readonly isDamaged: boolean;
  /** Some line lies under another key than the first. */
  readonly isFormer: boolean;
}

/** Before any line. */
export const FIRST_HEAD: JournalHead = { firstN: 1, hash: ZERO_HASH };

/** Bytes of a journal without lines. */
export function encodeJournalHead({ firstN, hash }: JournalHead): Uint8Array {
  const head = new Uint8Array(HEAD_BYTES);
  head.set(MAGIC);
  const view = new DataView(head.buffer);
  view.setUint8(MAGIC.length, VERSION);
  view.setUint16(MAGIC.length + 1, Math.floor(firstN / 2 ** 32));
  view.setUint32(MAGIC.length + 3, firstN % 2 ** 32);
  head.set(hash, MAGIC.length + 7);
  return head;
}

/** The frame of a line after the line with this hash. */
export function sealLine(key: Uint8Array, line: JournalLine, prev: Uint8Array, random: RandomBytes): Uint8Array {
  const sealed = sealPart(key, encode(lineCodec, line), prev, random);
  const length = new Uint8Array(LENGTH_BYTES);
  new DataView(length.buffer).setUint16(0, sealed.length);
  return concatBytes(length, sealed);
}

/** Hash of a line after the line with this hash. */
export function hashLine(line: JournalLine, prev: Uint8Array): Uint8Array {
  return sha256(concatBytes(prev, encode(lineCodec, line)));
}

/** Reads as many lines as follow each other, each under any of the keys. */
export function parseJournal(keys: readonly Uint8Array[], bytes: Uint8Array): ParsedJournal {
  const nothing = { head: FIRST_HEAD, lines: [], goodBytes: 0, isFormer: false };
  if (bytes.length === 0) return { ...nothing, isDamaged: false };
  const head = parseHead(bytes);
  if (head === undefined) return { ...nothing, isDamaged: true };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: HashedLine[] = [];
  let prev = head.hash;
  let at = HEAD_BYTES;
  let isFormer = false;
  while (at + LENGTH_BYTES <= bytes.length) {
    const end = at + LENGTH_BYTES + view.getUint16(at);
    if (end > bytes.length) break;
    const frame = bytes.subarray(at + LENGTH_BYTES, end);
    const [opened] = keys.flatMap((key, index) => {
      const plaintext = openPart(key, frame, prev);
      return plaintext === undefined ? [] : [{ plaintext, index }];
    });
    const line = opened && tryDecode(lineCodec, opened.plaintext);
    if (line === undefined || line.n !== head.firstN + lines.length)
      return { head, lines, goodBytes: at, isDamaged: end < bytes.length, isFormer };
    isFormer ||= opened?.index !== 0;
    const hash = hashLine(line, prev);
    lines.push({ line, prev, hash });
    prev = hash;
    at = end;
  }
  return { head, lines, goodBytes: at, isDamaged: false, isFormer };
}

function parseHead(bytes: Uint8Array): JournalHead | undefined {
  if (bytes.length < HEAD_BYTES || !equalBytes(bytes.subarray(0, MAGIC.length), MAGIC)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint8(MAGIC.length) !== VERSION) return undefined;
  const firstN = view.getUint16(MAGIC.length + 1) * 2 ** 32 + view.getUint32(MAGIC.length + 3);
  return { firstN, hash: bytes.slice(MAGIC.length + 7, HEAD_BYTES) };
}
