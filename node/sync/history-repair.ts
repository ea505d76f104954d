// Old blocks whose file is missing or damaged: those that are whole are taken from it, the others come again from other nodes. Each is held to
// the hash that the table of blocks has of it, and its parts to its header, so that neither the file nor a peer is believed; the file is
// written once more and takes the place of the damaged one.
import { checkBodyOfHash } from "#node/light/peers/check-responses.ts";
import type { LightRequester } from "#node/light/peers/network-light-peers.ts";
import type { Log } from "#node/observability/log.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { blockParts, joinBlock, joinReceipts } from "#node/storage/history/records/block-parts.ts";
import { repairSegment } from "#node/storage/history/sealing/repair-segment.ts";
import { foundBlock, openFoundSegment } from "#node/storage/history/segments/found-segment.ts";
import type { SealableBlock } from "#node/storage/history/segments/segment-block.ts";
import type { NamedSegment, SegmentFile } from "#node/storage/history/segments/segment-file.ts";
import { tryDecode } from "#shared/codec/codec.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { encodedReceiptsCodec } from "#shared/protocol/transactions/receipt.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";

/** How often a node looks whether a file is damaged, ms, and the longest pause after attempts that failed: it doubles each time. */
export const REPAIR_LOOK_MS = 10_000;
export const LONGEST_REPAIR_PAUSE_MS = 600_000;

export interface HistoryRepairDependencies {
  readonly database: Pick<ChainDatabase, "history" | "sealedFacts">;
  readonly peers: Pick<LightRequester, "peers" | "ask" | "noteProven" | "report">;
  readonly timers: Timers;
  readonly log: Pick<Log, "info" | "warn">;
}

/** Repairs the files of a running node, one after the other. */
export class HistoryRepair {
  readonly #dependencies: HistoryRepairDependencies;
  readonly #ending = new AbortController();
  #failures = 0;
  #cancel: CancelTimer = () => undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(dependencies: HistoryRepairDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#later();
  }

  /** Ends it; a file that is not whole is removed. */
  async stop(): Promise<void> {
    this.#ending.abort();
    this.#cancel();
    await this.#working;
  }

  #later(): void {
    if (this.#ending.signal.aborted) return;
    const pauseMs = Math.min(LONGEST_REPAIR_PAUSE_MS, REPAIR_LOOK_MS * 2 ** this.#failures);
    this.#cancel = this.#dependencies.timers.setTimer(pauseMs, () => {
      this.#working = this.#look().finally(() => this.#later());
    });
  }

  async #look(): Promise<void> {
    const { database, log } = this.#dependencies;
    const [segment] = database.history.damaged();
    if (segment === undefined) return;
    const { first, last } = segment;
    try {
      log.info({ first, last }, "A file of old blocks is damaged: what is not whole in it is requested from other nodes");
      await this.#repair(segment);
      this.#failures = 0;
      log.info({ first, last }, "The file of old blocks was replaced");
    } catch (error) {
      if (this.#ending.signal.aborted) return;
      this.#failures += 1;
      const reason = isCodedError(error) ? { reason: error.message } : { err: error };
      log.warn({ first, last, ...reason }, "The file of old blocks could not be replaced: it is tried again");
    }
  }

  async #repair(segment: NamedSegment): Promise<void> {
    const { history } = this.#dependencies.database;
    const found = openFoundSegment(history.files, segment);
    try {
      await repairSegment(history, segment, async (height) => this.#own(found, height) ?? (await this.#fetch(height, segment)));
    } finally {
      found?.close();
    }
  }

  /** A block as the file has it; undefined when it is not whole there. */
  #own(found: SegmentFile | undefined, height: Height): SealableBlock | undefined {
    const block = foundBlock(found, height);
    if (block === undefined) return undefined;
    const transactions = block.records.map(({ transaction }) => transaction);
    const receipts = joinReceipts(block.records.map(({ receipt }) => receipt));
    return this.#proven(height, { block: joinBlock(block, transactions), receipts });
  }

  /** The block of a height from the first peer that has it. @throws CodedError UPSTREAM_FAILED when none has */
  async #fetch(height: Height, { first, last }: NamedSegment): Promise<SealableBlock> {
    const { peers } = this.#dependencies;
    for (const { name } of peers.peers()) {
      if (this.#ending.signal.aborted) break;
      const block = await this.#ask(name, height);
      if (block !== undefined) return block;
    }
    throw new CodedError("UPSTREAM_FAILED", `No connected node has block ${height} of the blocks ${first} to ${last}`);
  }

  async #ask(peer: string, height: Height): Promise<SealableBlock | undefined> {
    const { peers } = this.#dependencies;
    try {
      const response = await peers.ask<"body">(peer, { kind: "body", height }, this.#ending.signal);
      if (response.kind !== "body") return undefined;
      const block = this.#proven(height, response);
      if (block === undefined) peers.report(peer, "lie");
      else peers.noteProven(peer);
      return block;
    } catch (error) {
      if (isCodedError(error)) return undefined;
      throw error;
    }
  }

  /** Undefined for what is not the block that was sealed. */
  #proven(height: Height, body: { readonly block: Uint8Array; readonly receipts: Uint8Array }): SealableBlock | undefined {
    const facts = this.#dependencies.database.sealedFacts(height);
    assertInvariant(facts !== undefined, `Block ${height} is in a file, and has no row`);
    const { hash, timeMs, reward } = facts;
    const receipts = tryDecode(encodedReceiptsCodec, body.receipts);
    const checked = checkBodyOfHash(hash, { kind: "body", ...body }, nativeSha256);
    if (receipts === undefined || "reason" in checked) return undefined;
    const { block } = checked.value;
    const records = block.transactions.map((tx, position) => ({
      transaction: encodeTransaction(tx),
      receipt: receipts[position] ?? new Uint8Array(),
    }));
    return { height, hash, timeMs, reward, ...blockParts(block), records };
  }
}
