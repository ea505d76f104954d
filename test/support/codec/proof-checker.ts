// A second checker of proofs, written from the description of the protocol with nothing of the program: what a stranger's client would do.
import { createHash, createPublicKey, verify } from "node:crypto";
import { decode } from "cborg";
import { miniCbor } from "./mini-cbor.ts";

/** The part of a response that proves a block. */
export interface SignedBlock {
  readonly index: number;
  readonly hash: string;
  readonly header_hex: string;
  readonly commit_hex: string | null;
  readonly validators: readonly { readonly pub_key: string; readonly bond_ut: number }[];
}

/** A response that proves state. */
export interface StateResponse {
  readonly chain_id: string;
  readonly namespace: string;
  readonly key_hex: string;
  readonly value_hex: string | null;
  readonly siblings: readonly string[];
  readonly other_leaf: { readonly path: string; readonly value_hash: string } | null;
  readonly block: SignedBlock;
}

/** A response that proves a transaction. */
export interface TransactionResponse {
  readonly chain_id: string;
  readonly position: number;
  readonly count: number;
  readonly transaction_hex: string;
  readonly transaction_siblings: readonly string[];
  readonly receipt_hex: string;
  readonly receipt_siblings: readonly string[];
  readonly block: SignedBlock;
}

interface Header {
  readonly chainId: string;
  readonly height: number;
  readonly txRoot: Buffer;
  readonly stateRoot: Buffer;
  readonly receiptsRoot: Buffer;
  readonly validatorsHash: Buffer;
  readonly txCount: number;
}

/** True when the validators, whose keys the caller trusts, signed a block with this record, or with this absence. */
export function provesState(response: StateResponse, trusted: ReadonlySet<string>): boolean {
  const header = signedHeader(response.block, response.chain_id, trusted);
  if (header === undefined) return false;
  const path = sha256(Buffer.concat([Buffer.from(response.namespace), Buffer.of(0), bytes(response.key_hex)]));
  let node = leafOf(response, path);
  if (node === undefined) return false;
  for (const [level, text] of response.siblings.entries()) {
    const depth = response.siblings.length - 1 - level;
    node = bitOf(path, depth) === 1 ? inner(bytes(text), node) : inner(node, bytes(text));
  }
  return node.equals(header.stateRoot);
}

/** True when a signed block holds the transaction and its receipt at the position. */
export function provesTransaction(response: TransactionResponse, trusted: ReadonlySet<string>): boolean {
  const header = signedHeader(response.block, response.chain_id, trusted);
  if (header === undefined || response.count !== header.txCount || response.position >= response.count) return false;
  const slot = { position: response.position, count: response.count };
  return (
    listRoot(bytes(response.transaction_hex), slot, response.transaction_siblings)?.equals(header.txRoot) === true &&
    listRoot(bytes(response.receipt_hex), slot, response.receipt_siblings)?.equals(header.receiptsRoot) === true
  );
}

function leafOf({ value_hex, other_leaf, siblings }: StateResponse, path: Buffer): Buffer | undefined {
  if (value_hex !== null) return other_leaf === null ? leaf(path, sha256(bytes(value_hex))) : undefined;
  if (other_leaf === null) return Buffer.alloc(32);
  const other = bytes(other_leaf.path);
  const isOnTheWay = siblings.every((_, depth) => bitOf(other, depth) === bitOf(path, depth));
  return isOnTheWay && !other.equals(path) ? leaf(other, bytes(other_leaf.value_hash)) : undefined;
}

function signedHeader(block: SignedBlock, chainId: string, trusted: ReadonlySet<string>): Header | undefined {
  const encoded = bytes(block.header_hex);
  if (sha256(encoded).toString("hex") !== block.hash || block.commit_hex === null) return undefined;
  const fields = decode(encoded) as readonly unknown[];
  const header: Header = {
    chainId: fields[1] as string,
    height: fields[2] as number,
    txRoot: Buffer.from(fields[6] as Uint8Array),
    stateRoot: Buffer.from(fields[7] as Uint8Array),
    receiptsRoot: Buffer.from(fields[8] as Uint8Array),
    validatorsHash: Buffer.from(fields[9] as Uint8Array),
    txCount: fields[14] as number,
  };
  const isOurs =
    header.chainId === chainId && header.height === block.index && block.validators.every(({ pub_key }) => trusted.has(pub_key));
  const set = block.validators.map(({ pub_key, bond_ut }) => miniCbor([bytes(pub_key), bond_ut]));
  return isOurs && rootOf(set).equals(header.validatorsHash) && isSigned(block, header) ? header : undefined;
}

function isSigned({ commit_hex, hash, validators }: SignedBlock, { chainId, height }: Header): boolean {
  const [votedHeight, round, votedHash, bitmap, signatures] = decode(bytes(commit_hex ?? "")) as [
    number,
    number,
    Uint8Array,
    Uint8Array,
    Uint8Array[],
  ];
  if (votedHeight !== height || Buffer.from(votedHash).toString("hex") !== hash) return false;
  const message = Buffer.concat([Buffer.from(`parley-vote\n${chainId}\n`), miniCbor([2, height, round, bytes(hash)])]);
  const signers = validators.filter((_, index) => ((bitmap[index >> 3] ?? 0) >> (index & 7)) & 1);
  const isAllRight = signers.every(({ pub_key }, index) => verify(null, message, keyOf(pub_key), signatures[index] ?? Buffer.alloc(0)));
  return isAllRight && signers.length === signatures.length && 3 * signers.length > 2 * validators.length;
}

function keyOf(publicKey: string): ReturnType<typeof createPublicKey> {
  const prefix = Buffer.from("302a300506032b6570032100", "hex");
  return createPublicKey({ key: Buffer.concat([prefix, bytes(publicKey)]), format: "der", type: "spki" });
}

/** Root of RFC 6962 that a leaf has with its siblings, from the leaf up. */
function listRoot(
  item: Buffer,
  { position, count }: { readonly position: number; readonly count: number },
  siblings: readonly string[],
): Buffer | undefined {
  let node = sha256(Buffer.concat([Buffer.of(0), item]));
  let index = position;
  let last = count - 1;
  for (const text of siblings) {
    if (last === 0) return undefined;
    if (index % 2 === 1 || index === last) {
      node = inner(bytes(text), node);
      while (index % 2 === 0 && index !== 0) {
        index = Math.floor(index / 2);
        last = Math.floor(last / 2);
      }
    } else node = inner(node, bytes(text));
    index = Math.floor(index / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? node : undefined;
}

function rootOf(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves;
  if (only === undefined) return sha256(Buffer.alloc(0));
  if (leaves.length === 1) return sha256(Buffer.concat([Buffer.of(0), only]));
  const split = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return inner(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

function leaf(path: Buffer, valueHash: Buffer): Buffer {
  return sha256(Buffer.concat([Buffer.of(0), path, valueHash]));
}

function inner(left: Buffer, right: Buffer): Buffer {
  return sha256(Buffer.concat([Buffer.of(1), left, right]));
}

function bitOf(path: Buffer, depth: number): number {
  return ((path[depth >> 3] ?? 0) >> (7 - (depth & 7))) & 1;
}

function sha256(data: Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex, "hex");
}
