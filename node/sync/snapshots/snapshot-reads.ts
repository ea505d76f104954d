// Responses to nodes that join, out of the files of snapshots and the blocks: on the thread for reads.
import { statSync } from "node:fs";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { TreePlace } from "#node/state/tree-place.ts";
import type { BlockRepository } from "#node/storage/chain/block-repository.ts";
import { openProvenSnapshot, type ProvenSnapshot } from "#node/storage/snapshots/proven-snapshot.ts";
import { snapshotName } from "#node/storage/snapshots/snapshot-file.ts";
import { encode } from "#shared/codec/codec.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { BlockHeader, Height } from "#shared/protocol/chain/header.ts";
import { equalBytes, toHex } from "#shared/util/bytes.ts";
import { SNAPSHOT_LIMITS } from "./snapshot-limits.ts";
import { type SnapshotRequest, type SnapshotResponse, snapshotResponseCodec } from "./wire/snapshot-messages.ts";

/** What is read; which snapshots there are the main thread knows. */
export type SnapshotRead = Exclude<SnapshotRequest, { readonly kind: "heights" }>;

type Blocks = Pick<BlockRepository, "header" | "summary" | "encodedReceipts">;

/** A file that is open. */
interface OpenSnapshot {
  /** Tells it from another file of its name. */
  readonly file: string;
  readonly snapshot: ProvenSnapshot;
  /** SHA-256 of responses that were proven, by place: they are proven once, which takes four times as long as all the rest. */
  readonly proven: LRUCache<string, Uint8Array>;
}

/** Reads of the snapshots of a folder. */
export class SnapshotReads {
  readonly #folder: string;
  readonly #blocks: Blocks;
  readonly #open = new Map<Height, OpenSnapshot>();

  constructor(folder: string, blocks: Blocks) {
    this.#folder = folder;
    this.#blocks = blocks;
  }

  /** The encoded response. @throws CodedError STORAGE_CORRUPT, for a chunk where its snapshot is damaged */
  respond(request: SnapshotRead): Uint8Array {
    switch (request.kind) {
      case "chunk":
        return this.#chunk(request);
      case "headers":
        return encode(snapshotResponseCodec, this.#headers(request));
      case "receipts":
        return encode(snapshotResponseCodec, this.#receipts(request));
    }
  }

  close(): void {
    for (const height of this.#open.keys()) this.#close(height);
  }

  #chunk({ height, place }: Extract<SnapshotRead, { kind: "chunk" }>): Uint8Array {
    const open = this.#snapshot(height);
    if (open === undefined) return encode(snapshotResponseCodec, { kind: "unknown" });
    try {
      return provenChunk(open, place);
    } catch (error) {
      // Whoever removes it needs it closed on some systems.
      this.#close(height);
      throw error;
    }
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

  /** One that was removed, or replaced, is closed, so that its room is free. */
  #snapshot(height: Height): OpenSnapshot | undefined {
    for (const [at, { file }] of this.#open) if (this.#fileOf(at) !== file) this.#close(at);
    const known = this.#open.get(height);
    if (known !== undefined) return known;
    const file = this.#fileOf(height);
    const stateRoot = file === undefined ? undefined : this.#blocks.summary(height)?.stateRoot;
    if (file === undefined || stateRoot === undefined) return undefined;
    try {
      const snapshot = openProvenSnapshot(this.#pathOf(height), { height, stateRoot });
      const opened = { file, snapshot, proven: new LRUCache<string, Uint8Array>({ max: SNAPSHOT_LIMITS.provenPlaces }) };
      this.#open.set(height, opened);
      return opened;
    } catch (error) {
      if (isCodedError(error) && error.code !== "STORAGE_CORRUPT") return undefined;
      throw error;
    }
  }

  #close(height: Height): void {
    this.#open.get(height)?.snapshot.close();
    this.#open.delete(height);
  }

  #pathOf(height: Height): string {
    return join(this.#folder, snapshotName(height));
  }

  /** What tells the file of a height from another one; undefined where there is none. */
  #fileOf(height: Height): string | undefined {
    const found = statSync(this.#pathOf(height), { throwIfNoEntry: false });
    return found === undefined ? undefined : `${found.ino} ${found.mtimeMs} ${found.size}`;
  }
}

/** The encoded chunk of a place, or how it is split. */
function provenChunk({ snapshot, proven }: OpenSnapshot, place: TreePlace): Uint8Array {
  const found = snapshot.read(place);
  if ("levels" in found) return encode(snapshotResponseCodec, { kind: "split", levels: found.levels });
  const { siblings, records } = found;
  const response = encode(snapshotResponseCodec, { kind: "chunk", siblings, records });
  const key = `${place.depth} ${toHex(place.prefix)}`;
  const hash = nativeSha256(response);
  const known = proven.get(key);
  // One that is another by now fails here.
  if (known === undefined || !equalBytes(known, hash)) found.prove();
  proven.set(key, hash);
  return response;
}
