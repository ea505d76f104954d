// Responses of a full node to what light nodes ask about its chain: from the database alone, each response within one snapshot of it.
import { findTransaction } from "#node/explorer/queries/proof-queries.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { proveState } from "#node/state/state-tree.ts";
import type { ChainReader } from "#node/storage/chain/chain-database.ts";
import { encode } from "#shared/codec/codec.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { LightBlock } from "#shared/protocol/chain/light-block.ts";
import { statePath } from "#shared/protocol/chain/state-proof.ts";
import { validatorsHash } from "#shared/protocol/chain/validators.ts";
import { leastCommit } from "#shared/protocol/chain/vote.ts";
import { merkleProof } from "#shared/protocol/primitives/merkle.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { StateKey } from "../light-source.ts";
import type { HistorySegment, LightRequest, UNVERIFIED_READ } from "../wire/light-requests.ts";
import { errorResponse, type LeafWithProof, type LightResponse, lightResponseCodec } from "../wire/light-responses.ts";
import { HistoryHashes } from "./history-hashes.ts";

/** Requests that the chain answers. */
export type ChainRequest = Exclude<LightRequest, { readonly kind: typeof UNVERIFIED_READ | "submit" | "fork" }>;

/** Reads of one connection to a chain. */
export class LightReads {
  readonly #chain: ChainReader;
  readonly #hashes: HistoryHashes;

  constructor(chain: ChainReader) {
    this.#chain = chain;
    this.#hashes = new HistoryHashes(chain.explorer);
  }

  /** The encoded response, that of an expected failure included. */
  respond(request: ChainRequest): Uint8Array {
    try {
      return encode(lightResponseCodec, this.#read(request));
    } catch (error) {
      // Nodes of earlier versions do not know the code; to all it means that another one may have it.
      if (isCodedError(error, "HISTORY_PRUNED")) return encode(lightResponseCodec, { kind: "unknown" });
      if (isCodedError(error)) return encode(lightResponseCodec, errorResponse(error));
      throw error;
    }
  }

  #read(request: ChainRequest): LightResponse {
    switch (request.kind) {
      case "blocks":
        return { kind: "blocks", blocks: this.#blocks(request.from, request.count) };
      case "block":
        return this.#oneBlock(request.height, request.knownSet);
      case "header":
        return this.#header(request.height);
      case "records":
        return this.#records(request.keys);
      case "body":
        return this.#body(request.height);
      case "transaction":
        return this.#transaction(request.id);
      case "history":
        return this.#history(request);
    }
  }

  #blocks(from: Height, count: number): readonly LightBlock[] {
    const end = Math.min(from + count, this.#tipHeight() + 1);
    const blocks: LightBlock[] = [];
    for (let height = from; height < end; height += 1) {
      const block = this.#provenBlock(height);
      if (block === undefined) break;
      blocks.push(block);
    }
    return blocks;
  }

  #oneBlock(height: Height, knownSet: Uint8Array | null): LightResponse {
    const block = height > this.#tipHeight() ? undefined : this.#provenBlock(height);
    if (block === undefined) return { kind: "unknown" };
    const { header, commit, validators } = block;
    if (knownSet === null || toHex(knownSet) !== header.validatorsHash) return { kind: "block", header, commit, validators };
    return { kind: "block", header, commit: commit && leastCommit(commit, validators.length), validators: null };
  }

  #header(height: Height): LightResponse {
    const header = this.#chain.blocks.header(height);
    return header === undefined ? { kind: "unknown" } : { kind: "header", header };
  }

  #records(keys: readonly StateKey[]): LightResponse {
    const { state } = this.#chain;
    const records = keys.map(({ namespace, key }) => ({
      value: state.get(namespace, key),
      proof: proveState(state, statePath(namespace, key, nativeSha256)),
    }));
    return { kind: "records", at: this.#block(this.#tipHeight()), records };
  }

  #body(height: Height): LightResponse {
    const { blocks } = this.#chain;
    const [block, receipts] = [blocks.encodedBlock(height), blocks.encodedReceipts(height)];
    return block === undefined || receipts === undefined ? { kind: "unknown" } : { kind: "body", block, receipts };
  }

  #transaction(id: string): LightResponse {
    const located = findTransaction(this.#chain, id);
    if (located === undefined) return { kind: "unknown" };
    const { record, position, transactions, receipts } = located;
    return {
      kind: "transaction",
      at: this.#block(record.block.header.height),
      position,
      count: transactions.length,
      transaction: leafOf(transactions, position),
      receipt: leafOf(receipts, position),
    };
  }

  #history({ account, last, count }: HistorySegment): LightResponse {
    // The hash before the first entry follows from all that come before it.
    if (!this.#chain.explorer.hasWholeHistoryInBlocks(account)) return { kind: "unknown" };
    const first = last - count + 1;
    const entryIds = this.#chain.explorer.historyIds(account, first, last);
    if (entryIds.length < count) return { kind: "unknown" };
    return { kind: "history", before: this.#hashes.after(account, first - 1), entryIds };
  }

  #block(height: Height): LightBlock {
    const { blocks, validatorSets } = this.#chain;
    const header = blocks.header(height);
    if (header === undefined) throw new CodedError("NOT_FOUND", `This node has no block ${height}`);
    return { header, commit: blocks.commit(height) ?? null, validators: validatorSets.at(height) };
  }

  /** Of a block whose transactions are not here, commit and validators may be here or not. */
  #provenBlock(height: Height): LightBlock | undefined {
    const { blocks, validatorSets } = this.#chain;
    if (height === 0 || height >= blocks.firstHeight()) return this.#block(height);
    const [header, commit, validators] = [blocks.header(height), blocks.commit(height), validatorSets.at(height)];
    if (header === undefined || commit === undefined || validatorsHash(validators, nativeSha256) !== header.validatorsHash)
      return undefined;
    return { header, commit, validators };
  }

  #tipHeight(): Height {
    return this.#chain.blocks.tipHeight() ?? 0;
  }
}

function leafOf(leaves: readonly Uint8Array[], position: number): LeafWithProof {
  const bytes = leaves[position];
  assertInvariant(bytes !== undefined, "Every transaction of a block has a receipt");
  return { bytes, siblings: merkleProof(leaves, position, nativeSha256).siblings };
}
