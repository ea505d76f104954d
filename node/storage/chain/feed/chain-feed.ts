// Blocks of a node in their order, with what they did: what another program needs to show the same of them. Read beside the node, each page
// from one snapshot.
import { touchedAccounts } from "#node/ledger/records/history.ts";
import { readAccount, readSupply, readValidators } from "#node/ledger/records/records.ts";
import type { Namespace, StateReader } from "#node/ledger/state-view.ts";
import { decode } from "#shared/codec/codec.ts";
import { decodeBlock } from "#shared/protocol/chain/block.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { receiptsCodec } from "#shared/protocol/transactions/receipt.ts";
import { rewardId } from "#shared/protocol/transactions/transaction-id.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import type { ChainPosition } from "../../explorer/block-summary.ts";
import { type ChainReaderConnection, openChainReader } from "../chain-reader.ts";
import { FedChanges, type FedState, readState, type StateCopy } from "./state-feed.ts";

/** Blocks of a page, and bytes of them beyond the first. docs/limits.md lists them. */
export const FEED_BLOCKS = 64;
export const FEED_BYTES = 524_288;

/** A block with what it did, encoded. */
export interface FedBlock {
  readonly block: string;
  readonly receipts: string;
  readonly reward: { readonly to: PublicKeyHex; readonly amount_ut: number } | null;
}

/** A page. All bytes are base64, keys of records hex. */
export interface ChainFeedPage {
  /** The first block that the node holds. */
  readonly first: Height;
  /** The newest one. */
  readonly tip: ChainPosition;
  /** False when the node has another block at the position: it then gives none. */
  readonly matches: boolean;
  readonly blocks: readonly FedBlock[];
  /** Records of the state after the newest block: of each account that the blocks name, of supply and validators. */
  readonly records: readonly (readonly [namespace: string, key: string, value: string])[];
  /** Where the reader says what it has of the state. */
  readonly state?: FedState;
}

/** Pages of all blocks. */
export interface ChainFeed {
  /** Blocks behind the last one that the reader has; the first ones that the node holds without any. */
  read(after: ChainPosition | undefined, copy?: StateCopy): Promise<ChainFeedPage>;
}

/** A feed that is open. */
export interface OpenChainFeed extends ChainFeed {
  close(): void;
}

/** Opens the feed of a data folder; a connection of its own is made at the first read. */
export function openChainFeed(directory: string): OpenChainFeed {
  let reader: ChainReaderConnection | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  return {
    read(after, copy): Promise<ChainFeedPage> {
      reader ??= openChainReader(directory);
      const chain = reader;
      const page = turn.then(() => chain.inSnapshot(async () => readPage(chain, after, copy)));
      turn = page.catch(() => undefined);
      return page;
    },
    close: () => reader?.close(),
  };
}

function readPage(chain: ChainReaderConnection, after: ChainPosition | undefined, copy: StateCopy | undefined): ChainFeedPage {
  const { blocks } = chain;
  const first = blocks.firstHeight();
  const height = blocks.tipHeight() ?? 0;
  const tip = { height, hash: blocks.summary(height)?.hash ?? "" };
  const known = after === undefined ? undefined : blocks.summary(after.height)?.hash;
  const matches = after === undefined || known === undefined || known === after.hash;
  const from = after === undefined ? first : after.height + 1;
  const changes = copy === undefined ? undefined : new FedChanges(chain);
  const fed = matches && from >= first ? readBlocks(chain, from, changes) : [];
  const isNewest = matches && from + fed.length === height + 1;
  const state =
    copy === undefined ? {} : { state: { changes: changes?.all ?? null, is_newest: isNewest, ...stateOf(chain, copy, isNewest) } };
  return {
    first,
    tip,
    matches,
    blocks: fed.map(({ block, receipts, reward }) => ({ block: toBase64(block), receipts: toBase64(receipts), reward })),
    records: fed.length === 0 ? [] : readRecords(chain, new Set(fed.flatMap(({ accounts }) => accounts))),
    ...state,
  };
}

function stateOf(chain: ChainReaderConnection, copy: StateCopy, isNewest: boolean): Omit<FedState, "changes" | "is_newest"> {
  if (isNewest) return readState(chain, copy);
  return { records: [], position: "", contracts: [], has_more_contracts: false, version: 0 };
}

interface ReadBlock {
  readonly block: Uint8Array;
  readonly receipts: Uint8Array;
  readonly reward: FedBlock["reward"];
  readonly accounts: readonly PublicKeyHex[];
}

function readBlocks(chain: ChainReaderConnection, from: Height, changes: FedChanges | undefined): readonly ReadBlock[] {
  const read: ReadBlock[] = [];
  for (let bytes = 0; read.length < FEED_BLOCKS && bytes < FEED_BYTES; ) {
    const block = readBlock(chain, from + read.length);
    if (block === undefined) break;
    bytes += block.block.length + block.receipts.length + (changes?.add(from + read.length) ?? 0);
    read.push(block);
  }
  return read;
}

function readBlock({ blocks, explorer }: ChainReaderConnection, height: Height): ReadBlock | undefined {
  const [block, receipts] = [blocks.encodedBlock(height), blocks.encodedReceipts(height)];
  if (block === undefined || receipts === undefined) return undefined;
  const paid = height === 0 ? undefined : explorer.transaction(rewardId(height));
  const reward = paid === undefined ? null : { to: paid.to, amount_ut: paid.amountUt };
  const outcomes = decode(receiptsCodec, receipts);
  const accounts = decodeBlock(block).transactions.flatMap((tx, position) => {
    const receipt = outcomes[position];
    return receipt === undefined ? [] : touchedAccounts(tx, receipt);
  });
  return { block, receipts, reward, accounts: reward === null ? accounts : [...accounts, reward.to] };
}

/** What a program of a node would read of the state of these. */
function readRecords({ state }: ChainReaderConnection, accounts: ReadonlySet<PublicKeyHex>): ChainFeedPage["records"] {
  const records: (readonly [string, string, string])[] = [];
  const noting: StateReader = {
    get(namespace: Namespace, key): Uint8Array | undefined {
      const value = state.get(namespace, key);
      if (value !== undefined) records.push([namespace, toHex(key), toBase64(value)]);
      return value;
    },
    next: () => undefined,
  };
  readSupply(noting);
  readValidators(noting);
  for (const account of accounts) readAccount(noting, account);
  return records;
}
