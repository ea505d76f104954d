// Everything about old blocks that hashes, packs or writes: it runs on a thread of its own, whose connection to chain.db is its own. Blocks
// come in ascending order for headers that are proven; they are readable once the whole segment is published.
import { dirname } from "node:path";
import { historyHashAfter } from "#node/ledger/records/history.ts";
import { readWallet } from "#node/ledger/records/node-records.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { mergeOldest } from "#node/storage/history/sealing/index-segments.ts";
import { removeUnnamed } from "#node/storage/history/sealing/seal-segment.ts";
import { requireRoom } from "#node/storage/snapshots/backfill/disk-room.ts";
import type { FillTables } from "#node/storage/snapshots/backfill/fill-tables.ts";
import { type FillPlan, SegmentFill } from "#node/storage/snapshots/backfill/segment-fill.ts";
import { StoredWallets, type Wallets } from "#node/storage/snapshots/backfill/stored-wallets.ts";
import { readTogether } from "#node/storage/sqlite-database.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { BACKFILL_LIMITS } from "./backfill-limits.ts";
import {
  boundNodes,
  bytesOf,
  filledBlock,
  genesisBlock,
  type LinkedHeader,
  type ProvenBlock,
  provenBlock,
  type SentBlock,
} from "./filled-block.ts";
import { shorterFrom } from "./segment-plan.ts";

/** A segment that is to be filled. */
export interface SegmentGoal extends FillPlan {
  /** Of its blocks, ascending. */
  readonly headers: readonly LinkedHeader[];
  /** Who gets the earnings of each proposer of a block with transactions, at its highest one. */
  readonly wallets: Wallets;
}

/**
 * What became of blocks: they were taken in; one is not that of its header; from a block on the wallet of a proposer is another one than
 * before, so that the segment has to begin there; or they are too many bytes, so that it has to begin higher up.
 */
export type AddOutcome =
  | { readonly kind: "added" }
  | { readonly kind: "false"; readonly height: Height; readonly reason: string }
  | { readonly kind: "split" | "full"; readonly from: Height };

/** A part of a history as a peer claims it: the hash before it, and the ids of its entries up to the newest one that is not here. */
export interface HistoryClaim {
  readonly account: PublicKeyHex;
  readonly before: Uint8Array;
  readonly entryIds: readonly string[];
}

/** Segments after which files are removed that were merged: readers of older tables have ended since the last one. */
const SEGMENTS_PER_TIDYING = 16;

/** Entries of a history that are read at once. */
const IDS_AT_ONCE = 1_024;

/** Fills one segment after the other. */
export class BackfillWork {
  readonly #tables: FillTables;
  readonly #wallets: StoredWallets;
  readonly #first: NetworkParams;
  readonly #together;
  #fill: SegmentFill | undefined;
  #goal: SegmentGoal | undefined;
  #next = 0;
  /** Of the blocks and receipts that were taken in. */
  #bytes = 0;
  #published = 0;
  /** Nodes whose wallets were others below the blocks that were taken in. */
  #bound = new Set<PublicKeyHex>();

  /** @param first parameters of the network's first block */
  constructor(tables: FillTables, first: NetworkParams) {
    this.#tables = tables;
    this.#wallets = new StoredWallets(tables.database);
    this.#first = first;
    this.#together = readTogether(tables.database);
  }

  /** Removes files that no table names. Call it while no other thread tidies the folder. */
  tidy(): void {
    const { history } = this.#tables;
    removeUnnamed(history.files, history, history.runs);
  }

  /** Wallets that are known below the blocks that are here. */
  wallets(): Wallets {
    return this.#wallets.read();
  }

  /** Begins a segment; one that was begun before is given up. @throws CodedError of the storage */
  begin(goal: SegmentGoal): void {
    this.abandon();
    this.#requireRoom();
    this.#goal = goal;
    [this.#next, this.#bytes] = [0, 0];
    this.#bound = new Set();
    this.#fill = new SegmentFill(this.#tables, goal);
    const [lowest] = goal.headers;
    if (lowest?.header.height === 0) this.#take(this.#fill, [genesisBlock(lowest)]);
  }

  /** Takes in the blocks that follow. @throws CodedError of the storage */
  add(sent: readonly SentBlock[]): AddOutcome {
    const { fill, goal } = this.#begun();
    this.#requireRoom();
    const blocks: ProvenBlock[] = [];
    for (const each of sent) {
      const linked = goal.headers[this.#next + blocks.length];
      if (linked === undefined) break;
      const proven = provenBlock(linked, each);
      if (typeof proven === "string") return { kind: "false", height: linked.header.height, reason: proven };
      blocks.push(proven);
    }
    const fitting = this.#fitting(goal, sent.slice(0, blocks.length));
    if (fitting < blocks.length) return { kind: "full", from: shorterFrom(goal, this.#next + fitting) };
    const split = blocks.findLast((block) => boundNodes(block).some((node) => this.#isPaidBelow(goal, node, block.header.height)));
    if (split !== undefined) return { kind: "split", from: split.header.height };
    this.#take(fill, blocks);
    this.#bytes += bytesOf(sent.slice(0, blocks.length));
    return { kind: "added" };
  }

  /** Makes the files of the segment durable. @returns the bytes of its blocks and receipts @throws CodedError of the storage */
  finish(): number {
    const { fill } = this.#begun();
    this.#requireRoom();
    fill.finish();
    return this.#bytes;
  }

  /** Names them, and merges what finds old blocks. Call it while no other thread tidies the folder. @returns false where other blocks are the lowest */
  publish(maxRunBlocks: number | undefined): boolean {
    const { fill, goal } = this.#begun();
    this.#published += 1;
    if (this.#published % SEGMENTS_PER_TIDYING === 0) this.tidy();
    const known = { ...this.#wallets.read(), ...goal.wallets };
    const wallets = Object.fromEntries(Object.entries(known).filter(([node]) => !this.#bound.has(node)));
    const isPublished = fill.publish(() => this.#wallets.write(goal.first === 0 ? {} : wallets));
    if (!isPublished) this.abandon();
    [this.#fill, this.#goal] = [undefined, undefined];
    const { history } = this.#tables;
    if (isPublished) mergeOldest(history.files, { list: history.runs, ...(maxRunBlocks === undefined ? {} : { maxRunBlocks }) });
    return isPublished;
  }

  /** Gives up the segment that was begun. */
  abandon(): void {
    this.#fill?.abandon();
    [this.#fill, this.#goal] = [undefined, undefined];
  }

  /** Number of the newest entry of an account below the blocks that are here; 0 where there is none. */
  newestBelow(account: PublicKeyHex): number {
    return this.#tables.explorer.history.newestBelow(account);
  }

  /** The wallet of a node, where no block that is here changed it: it was the same below. Undefined where one did. */
  unchangedWallet(node: PublicKeyHex): PublicKeyHex | undefined {
    const { explorer, state } = this.#tables;
    return this.#together(() => {
      const held = readAccount(state, node).historyCount - explorer.history.newestBelow(node);
      for (let offset = 0; offset < held; offset += IDS_AT_ONCE) {
        const entries = explorer.historyPage(node, Math.min(IDS_AT_ONCE, held - offset), offset);
        if (entries.some(({ type, from, isOk }) => type === "BIND_WALLET" && from === node && isOk)) return undefined;
      }
      return readWallet(state, node);
    });
  }

  /** True where a claimed part of a history and the entries that are here lead to the hash that the state has. */
  isProven({ account, before, entryIds }: HistoryClaim): boolean {
    const { explorer, state } = this.#tables;
    return this.#together(() => {
      const { historyCount, historyHash } = readAccount(state, account);
      const below = explorer.history.newestBelow(account);
      let hash = historyHashAfter(before, entryIds, nativeSha256);
      for (let first = below + 1; first <= historyCount; first += IDS_AT_ONCE) {
        const last = Math.min(historyCount, first + IDS_AT_ONCE - 1);
        const ids = explorer.historyIds(account, first, last);
        if (ids.length !== last - first + 1) return false;
        hash = historyHashAfter(hash, ids, nativeSha256);
      }
      return equalBytes(hash, historyHash);
    });
  }

  /** New blocks have to find room: without it the node would stop. */
  #requireRoom(): void {
    requireRoom(dirname(this.#tables.database.name), BACKFILL_LIMITS.reservedBytes);
  }

  #begun(): { readonly fill: SegmentFill; readonly goal: SegmentGoal } {
    assertInvariant(this.#fill !== undefined && this.#goal !== undefined, "No segment was begun");
    return { fill: this.#fill, goal: this.#goal };
  }

  /** How many of the blocks the segment has room for; a block alone has it. */
  #fitting({ headers }: SegmentGoal, sent: readonly SentBlock[]): number {
    if (headers.length === 1) return sent.length;
    const tooMany = sent.findIndex((_, index) => this.#bytes + bytesOf(sent.slice(0, index + 1)) > BACKFILL_LIMITS.segmentBytes);
    return tooMany < 0 ? sent.length : tooMany;
  }

  #take(fill: SegmentFill, blocks: readonly ProvenBlock[]): void {
    const { wallets } = this.#begun().goal;
    const { state } = this.#tables;
    fill.add(
      blocks.map((block) => {
        const { proposer } = block.header;
        const wallet = wallets[proposer];
        assertInvariant(wallet !== undefined || block.header.txCount === 0, `The wallet of ${proposer} is not known`);
        return filledBlock(block, { state, first: this.#first, wallet: wallet ?? proposer });
      }),
    );
    for (const block of blocks) for (const node of boundNodes(block)) this.#bound.add(node);
    this.#next += blocks.length;
  }

  /** True where a node proposed a block with transactions below a height of the segment: its earnings went to another wallet then. */
  #isPaidBelow({ headers }: SegmentGoal, node: PublicKeyHex, height: Height): boolean {
    return headers.some(({ header }) => header.height < height && header.proposer === node && header.txCount > 0);
  }
}
