// Serves final blocks to peers that catch up, and compares what peers serve with the own chain.
import type { BlockComparison } from "#node/engine/execution/decided-block.ts";
import type { ChainStatus, EncodedFinalBlock, ReceivedBlock } from "#node/network/peer-network.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { type BlockHeader, type HashHex, type Height, headerHash } from "#shared/protocol/chain/header.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { type Commit, commitSigners, verifyCommit } from "#shared/protocol/chain/vote.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";

/** Bytes of blocks in one response; a larger first block goes alone. */
const RESPONSE_BYTES = 8 * 1_048_576;
/** Blocks in one response. */
const RESPONSE_BLOCKS = 128;
/** Block 0 has no commit: every node makes it from the genesis file. */
const FIRST_HEIGHT = 1;

/** What is read of the chain database. */
export interface StoredBlocks {
  /** The lowest block whose transactions are here. */
  firstHeight(): Height;
  /** The lowest block whose header is here. */
  firstHeader(): Height;
  header(height: Height): BlockHeader | undefined;
  encodedBlock(height: Height): Uint8Array | undefined;
  /** CBOR of the commit; undefined for genesis and beyond the tip. */
  encodedCommit(height: Height): Uint8Array | undefined;
  commit(height: Height): Commit | undefined;
  /** The commit of the block below, as a block carries it: it may have precommits that came later. */
  lastCommit(height: Height): Commit | undefined;
}

export interface BlockServerDependencies {
  readonly chainId: string;
  readonly blocks: StoredBlocks;
  tip(): { readonly height: Height; readonly hash: HashHex };
  validatorsAt(height: Height): ValidatorSet;
  /** Heights whose state is served, the newest first. */
  snapshots(): readonly Height[];
  /** From which block on this node means to keep all. */
  keepsFrom(): Height;
  readonly verify: VerifySignature;
}

/** Reads of committed blocks. */
export class BlockServer {
  readonly #dependencies: BlockServerDependencies;

  constructor(dependencies: BlockServerDependencies) {
    this.#dependencies = dependencies;
  }

  /** How far this node is. */
  status(): ChainStatus {
    const { height, hash } = this.#dependencies.tip();
    const { blocks, snapshots, keepsFrom } = this.#dependencies;
    const has = { firstHeight: this.#firstHeight(), firstHeader: blocks.firstHeader(), snapshots: snapshots() };
    return { height, tipHash: hash, ...has, keepsFrom: keepsFrom() };
  }

  /** Blocks from a height on, in order, without gaps, as many as one response takes. Each is read when it is its turn to be sent. */
  *range(from: Height, count: number): Generator<EncodedFinalBlock, void> {
    if (from < this.#firstHeight()) return;
    let bytes = 0;
    const end = Math.min(from + Math.min(count, RESPONSE_BLOCKS), this.#dependencies.tip().height + 1);
    for (let height = from; height < end && bytes < RESPONSE_BYTES; height += 1) {
      const final = this.#final(height);
      if (final === undefined) return;
      yield final;
      bytes += final.block.length;
    }
  }

  /**
   * What a block of a height that is over is beside the own one. Its body is compared as bytes, never decoded. Anyone has as many true old
   * blocks as the chain has, with any choice of their votes: votes that are stored are not verified again.
   */
  compare({ header, commit, encoded }: Omit<ReceivedBlock, "read">): BlockComparison {
    const { chainId, blocks, validatorsAt } = this.#dependencies;
    const { height } = header;
    const own = blocks.header(height);
    // Who signed a block that is not here, this node may not know either.
    if (own === undefined || height < blocks.firstHeight()) return "other";
    const hash = headerHash(header, nativeSha256);
    if (commit.height !== height || commit.blockHash !== hash) return "false";
    const isOwn = headerHash(own, nativeSha256) === hash;
    if (isOwn && Buffer.compare(blocks.encodedBlock(height) ?? encoded, encoded) !== 0) return "false";
    const validators = validatorsAt(height);
    const verify = isOwn ? this.#knowingVotes(commit, validators) : this.#dependencies.verify;
    if (!verifyCommit(chainId, validators, commit, verify)) return "false";
    return isOwn ? "own" : "other";
  }

  /** A verifier that knows the votes for the own block of a height in a round. */
  #knowingVotes({ height, round }: Commit, validators: ValidatorSet): VerifySignature {
    const { blocks, verify } = this.#dependencies;
    const known = new Set<string>();
    for (const stored of [blocks.commit(height), blocks.lastCommit(height + 1)])
      if (stored?.height === height && stored.round === round)
        for (const [position, index] of commitSigners(stored, validators.length).entries())
          known.add(`${validators[index]?.publicKey} ${toHex(stored.signatures[position] ?? new Uint8Array())}`);
    return (signature, message, publicKey): boolean =>
      known.has(`${toHex(publicKey)} ${toHex(signature)}`) || verify(signature, message, publicKey);
  }

  #firstHeight(): Height {
    return Math.max(FIRST_HEIGHT, this.#dependencies.blocks.firstHeight());
  }

  #final(height: Height): EncodedFinalBlock | undefined {
    const { blocks } = this.#dependencies;
    const [block, commit] = [blocks.encodedBlock(height), blocks.encodedCommit(height)];
    return block === undefined || commit === undefined ? undefined : { block, commit };
  }
}
