// Responses to nodes that join, out of the files of snapshots and the blocks: on the thread for reads.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readChunk } from "#node/state/state-chunk.ts";
import type { BlockRepository } from "#node/storage/chain/block-repository.ts";
import { openSnapshot, type SnapshotReader, snapshotName } from "#node/storage/snapshots/snapshot-file.ts";
import { encode } from "#shared/codec/codec.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { BlockHeader, Height } from "#shared/protocol/chain/header.ts";
import { SNAPSHOT_LIMITS } from "./snapshot-limits.ts";
import { type SnapshotRequest, type SnapshotResponse, snapshotResponseCodec } from "./wire/snapshot-messages.ts";

/** What is read; which snapshots there are the main thread knows. */
export type SnapshotRead = Exclude<SnapshotRequest, { readonly kind: "heights" }>;

/** Reads of the snapshots of a folder. */
export class SnapshotReads {
  readonly #folder: string;
  readonly #blocks: Pick<BlockRepository, "header" | "encodedReceipts">;
  readonly #open = new Map<Height, SnapshotReader>();

  constructor(folder: string, blocks: Pick<BlockRepository, "header" | "encodedReceipts">) {
    this.#folder = folder;
    this.#blocks = blocks;
  }

  /** The encoded response. */
  respond(request: SnapshotRead): Uint8Array {
    return encode(snapshotResponseCodec, this.#read(request));
  }

  close(): void {
    for (const snapshot of this.#open.values()) snapshot.close();
    this.#open.clear();
  }

  #read(request: SnapshotRead): SnapshotResponse {
    switch (request.kind) {
      case "chunk":
        return this.#chunk(request);
      case "headers":
        return this.#headers(request);
      case "receipts":
        return this.#receipts(request);
    }
  }

  #chunk({ height, place }: Extract<SnapshotRead, { kind: "chunk" }>): SnapshotResponse {
    const snapshot = this.#snapshot(height);
    if (snapshot === undefined) return { kind: "unknown" };
    const chunk = readChunk(snapshot, place);
    return "levels" in chunk ? { kind: "split", levels: chunk.levels } : { kind: "chunk", ...chunk };
  }

  #headers({ from, count }: { readonly from: Height; readonly count: number }): SnapshotResponse {
    const headers: BlockHeader[] = [];
    while (headers.length < count) {
      const header = this.#blocks.header(from + headers.length);
      if (header === undefined) break;
      headers.push(header);
    }
    return headers.length === 0 ? { kind: "unknown" } : { kind: "headers", headers };
  }

  #receipts({ from, count }: { readonly from: Height; readonly count: number }): SnapshotResponse {
    const blocks: Uint8Array[] = [];
    let bytes = 0;
    while (blocks.length < count) {
      const receipts = this.#blocks.encodedReceipts(from + blocks.length);
      if (receipts === undefined || (blocks.length > 0 && bytes + receipts.length > SNAPSHOT_LIMITS.receiptsBytes)) break;
      blocks.push(receipts);
      bytes += receipts.length;
    }
    return blocks.length === 0 ? { kind: "unknown" } : { kind: "receipts", blocks };
  }

  /** One that was removed is closed, so that its room is free. */
  #snapshot(height: Height): SnapshotReader | undefined {
    const fileOf = (of: Height): string => join(this.#folder, snapshotName(of));
    for (const [open, snapshot] of this.#open) {
      if (existsSync(fileOf(open))) continue;
      snapshot.close();
      this.#open.delete(open);
    }
    const known = this.#open.get(height);
    if (known !== undefined || !existsSync(fileOf(height))) return known;
    try {
      const opened = openSnapshot(fileOf(height));
      this.#open.set(height, opened);
      return opened;
    } catch (error) {
      if (isCodedError(error)) return undefined;
      throw error;
    }
  }
}
