// An encoded block and the parts of it that the database keeps apart: what is before its transactions and what is behind them.
import { CborReader } from "#shared/codec/cbor-reader.ts";
import { CborWriter } from "#shared/codec/cbor-writer.ts";
import { encode } from "#shared/codec/codec.ts";
import { type Block, blockTailCodec } from "#shared/protocol/chain/block.ts";
import { headerCodec } from "#shared/protocol/chain/header.ts";

/** A block without its transactions. */
export interface BlockParts {
  /** The encoded header. */
  readonly front: Uint8Array;
  /** Evidence and the commit of its parent, encoded one after the other. */
  readonly tail: Uint8Array;
}

const BLOCK_FIELDS = 4;

/** Parts of a block. */
export function blockParts({ header, evidence, lastCommit }: Block): BlockParts {
  return { front: encode(headerCodec, header), tail: encode(blockTailCodec, { evidence, lastCommit }) };
}

/** The encoded block of parts and encoded transactions. */
export function joinBlock({ front, tail }: BlockParts, transactions: readonly Uint8Array[]): Uint8Array {
  return CborWriter.encode((writer) => {
    writer.array(BLOCK_FIELDS);
    writer.encoded(front);
    writer.array(transactions.length);
    for (const transaction of transactions) writer.encoded(transaction);
    writer.encoded(tail);
  });
}

/** Parts and encoded transactions of an encoded block, without a copy. @throws Error on bytes that are none. */
export function splitBlock(encoded: Uint8Array): BlockParts & { readonly transactions: readonly Uint8Array[] } {
  const reader = new CborReader(encoded);
  if (reader.array() !== BLOCK_FIELDS) throw new TypeError(`A block has ${BLOCK_FIELDS} fields`);
  const next = (): Uint8Array => {
    const start = reader.at;
    reader.skip();
    return reader.since(start);
  };
  const front = next();
  const transactions = Array.from({ length: reader.array() }, next);
  return { front, transactions, tail: encoded.subarray(reader.at) };
}

/** The list of encoded receipts that nodes send. */
export function joinReceipts(receipts: readonly Uint8Array[]): Uint8Array {
  return CborWriter.encode((writer) => {
    writer.array(receipts.length);
    for (const receipt of receipts) writer.bytes(receipt);
  });
}

/** Encoded receipts of {@link joinReceipts}, without a copy. @throws Error on bytes that are none. */
export function splitReceipts(encoded: Uint8Array): readonly Uint8Array[] {
  const reader = new CborReader(encoded);
  return Array.from({ length: reader.array() }, () => reader.view(0, Number.POSITIVE_INFINITY));
}
