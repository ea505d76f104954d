// The file of a proof of payment: JSON that holds a payment with its receipt, its signed block, and blocks that lead to it from genesis.
import { tryDecode } from "#shared/codec/codec.ts";
import { fromHex, isHex } from "#shared/util/bytes.ts";
import { type BlockHeader, headerCodec } from "../chain/header.ts";
import type { LightBlock } from "../chain/light-block.ts";
import { type Commit, commitCodec } from "../chain/vote.ts";
import { isAmount } from "../primitives/amount.ts";
import { MAX_TX_ID_CHARS, MAX_VALIDATORS } from "../primitives/limits.ts";
import type { MerkleProof } from "../primitives/merkle.ts";
import { type Receipt, receiptCodec } from "../transactions/receipt.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { transactionCodec } from "../transactions/transaction-encoding.ts";

/** Longest file that is read, bytes. */
export const MAX_PAYMENT_PROOF_BYTES = 4 * 1_048_576;
/** Blocks between genesis and that of the payment: each is there because the validators had changed by then. */
export const MAX_PATH_BLOCKS = 64;
/** Longest genesis that a file carries along, characters of JSON. */
export const MAX_PROOF_GENESIS_CHARS = 262_144;

const FORMAT = "parley-payment-proof";
const VERSION = 1;
/** A tree of as many leaves as a block may have is lower. */
const MAX_SIBLINGS = 64;
const HEX = /^(?:[0-9a-f]{2})*$/;

/** A signed block as the interface of a node gives it. */
export interface SignedBlockJson {
  readonly index: number;
  readonly hash: string;
  readonly header_hex: string;
  readonly commit_hex: string | null;
  readonly validators: readonly { readonly pub_key: string; readonly bond_ut: number }[];
}

/** A transaction under its block as the interface of a node gives it. */
export interface TransactionProofJson {
  readonly chain_id: string;
  readonly tx_id: string;
  readonly position: number;
  readonly count: number;
  readonly transaction_hex: string;
  readonly transaction_siblings: readonly string[];
  readonly receipt_hex: string;
  readonly receipt_siblings: readonly string[];
  readonly block: SignedBlockJson;
}

/** What is written into a file. */
export interface PaymentProofParts {
  readonly genesisHash: string;
  /** JSON of the genesis file, carried along where it is short. */
  readonly genesis: unknown;
  /** Ascending. */
  readonly path: readonly SignedBlockJson[];
  readonly payment: TransactionProofJson;
}

/** What a file says, decoded. Nothing of it is checked but its form. */
export interface PaymentProof {
  readonly chainId: string;
  readonly genesisHash: string;
  readonly genesis: unknown;
  readonly path: readonly LightBlock[];
  readonly block: LightBlock;
  readonly transaction: Transaction;
  readonly transactionBytes: Uint8Array;
  readonly transactionProof: MerkleProof;
  readonly receipt: Receipt;
  readonly receiptBytes: Uint8Array;
  readonly receiptProof: MerkleProof;
}

/** Why a text is no file of this kind. */
export type PaymentProofFault = "tooLarge" | "notAProof" | "newerFormat";

/** Text of a file. */
export function formatPaymentProof({ genesisHash, genesis, path, payment }: PaymentProofParts): string {
  const isShort = JSON.stringify(genesis)?.length <= MAX_PROOF_GENESIS_CHARS;
  const file = { format: FORMAT, version: VERSION, genesis_hash: genesisHash, ...(isShort && { genesis }), path, payment };
  return `${JSON.stringify(file, null, 1)}\n`;
}

/** What a text of {@link formatPaymentProof} says, or why it is none. Never throws. */
export function parsePaymentProof(text: string): PaymentProof | PaymentProofFault {
  if (text.length > MAX_PAYMENT_PROOF_BYTES) return "tooLarge";
  const file = objectOf(tryParse(text));
  if (file?.format !== FORMAT) return "notAProof";
  if (typeof file.version === "number" && file.version > VERSION) return "newerFormat";
  const { version, genesis_hash: genesisHash, genesis } = file;
  const payment = paymentOf(file.payment);
  const path = listOf(file.path, MAX_PATH_BLOCKS, blockOf);
  if (version !== VERSION || !isHex(genesisHash, 32) || payment === undefined || path === undefined) return "notAProof";
  return { genesisHash: genesisHash.toLowerCase(), genesis, path, ...payment };
}

function paymentOf(value: unknown): Omit<PaymentProof, "genesisHash" | "genesis" | "path"> | undefined {
  const fields = objectOf(value);
  const block = blockOf(fields?.block);
  if (fields === undefined || block === undefined) return undefined;
  const { chain_id: chainId, tx_id: id, position, count } = fields;
  const transactionBytes = bytesOf(fields.transaction_hex);
  const receiptBytes = bytesOf(fields.receipt_hex);
  const siblings = listOf(fields.transaction_siblings, MAX_SIBLINGS, hashOf);
  const receiptSiblings = listOf(fields.receipt_siblings, MAX_SIBLINGS, hashOf);
  if (typeof chainId !== "string" || typeof id !== "string" || id.length > MAX_TX_ID_CHARS) return undefined;
  if (!isAmount(position) || !isAmount(count) || transactionBytes === undefined || receiptBytes === undefined) return undefined;
  if (siblings === undefined || receiptSiblings === undefined) return undefined;
  const transaction = tryDecode(transactionCodec, transactionBytes);
  const receipt = tryDecode(receiptCodec, receiptBytes);
  if (transaction === undefined || receipt === undefined || transaction.id !== id) return undefined;
  const at = { index: position, size: count };
  return {
    ...{ chainId, block, transaction, transactionBytes, receipt, receiptBytes },
    transactionProof: { ...at, siblings },
    receiptProof: { ...at, siblings: receiptSiblings },
  };
}

/** A block of its JSON; undefined for anything else. Whether hash and height fit is not checked: they follow from the header. */
export function blockOf(value: unknown): LightBlock | undefined {
  const fields = objectOf(value);
  if (fields === undefined) return undefined;
  const header = decoded<BlockHeader>(headerCodec, fields.header_hex);
  const commit = fields.commit_hex === null ? null : decoded<Commit>(commitCodec, fields.commit_hex);
  const validators = listOf(fields.validators, MAX_VALIDATORS, (item) => {
    const { pub_key: publicKey, bond_ut: bondUt } = objectOf(item) ?? {};
    return isHex(publicKey, 32) && isAmount(bondUt) ? { publicKey, bondUt } : undefined;
  });
  return header === undefined || commit === undefined || validators === undefined ? undefined : { header, commit, validators };
}

function decoded<T>(of: Parameters<typeof tryDecode<T>>[0], hex: unknown): T | undefined {
  const bytes = bytesOf(hex);
  return bytes === undefined ? undefined : tryDecode(of, bytes);
}

function bytesOf(hex: unknown): Uint8Array | undefined {
  return typeof hex === "string" && HEX.test(hex) ? fromHex(hex) : undefined;
}

function hashOf(hex: unknown): Uint8Array | undefined {
  return isHex(hex, 32) ? fromHex(hex) : undefined;
}

function listOf<T>(value: unknown, most: number, itemOf: (item: unknown) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(value) || value.length > most) return undefined;
  const items = value.map(itemOf);
  return items.every((item) => item !== undefined) ? items : undefined;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : undefined;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
