// The headers of a full node as the ground of what peers send: its own, and below them those that follow from its own by hashes of parents,
// or from genesis by signatures while that is trusted.
import type { ChainReader } from "#node/storage/chain/chain-database.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { type BlockHeader, type Height, headerHash } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { validatorsHash } from "#shared/protocol/chain/validators.ts";
import { checkBlockOfHash } from "#shared/protocol/light/verify-light-block.ts";
import { BlockFinder, type BlockFinderDependencies } from "../chain/block-finder.ts";
import { VerifiedBlocks } from "../chain/verified-blocks.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { OfferedBlock } from "../light-peers.ts";
import type { VerifiedHeaders } from "../peers/peer-responses.ts";

export interface OwnHeadersDependencies extends Omit<BlockFinderDependencies, "blocks"> {
  readonly database: Pick<ChainReader, "blocks" | "validatorSets" | "explorer">;
  readonly genesis: TrustedBlock;
}

/** Headers that responses rest on. */
export class OwnHeaders implements VerifiedHeaders {
  readonly #dependencies: OwnHeadersDependencies;
  readonly #finder: BlockFinder;

  constructor(dependencies: OwnHeadersDependencies) {
    this.#dependencies = dependencies;
    const blocks = new VerifiedBlocks(dependencies.genesis, {
      tip: (): undefined => undefined,
      at: (height): TrustedBlock | undefined => this.#complete(height),
      below: (): undefined => undefined,
      above: (height): TrustedBlock | undefined => this.#above(height),
    });
    this.#finder = new BlockFinder({ ...dependencies, blocks });
  }

  tip(): TrustedBlock {
    const block = this.#own(this.#tipHeight);
    if (block === undefined) throw new CodedError("UNAVAILABLE", "The node has no block yet");
    return block;
  }

  async blockAt(height: Height, offered?: OfferedBlock): Promise<TrustedBlock | undefined> {
    if (!Number.isSafeInteger(height) || height < 0 || height > this.#tipHeight) return undefined;
    const own = this.#own(height);
    if (own === undefined) return await this.#finder.find(height, offered);
    return isComplete(own) ? own : await this.#completed(own, offered);
  }

  /**
   * A step on the way down to a block that lies too far below: the proven block at most so many headers below the lowest one above it. Who
   * keeps its header comes nearer with each step.
   * @throws CodedError as {@link blockAt}
   */
  async stepTo(height: Height, headers: number): Promise<TrustedBlock> {
    const above = this.#above(height) ?? this.tip();
    return await this.#finder.find(Math.max(height, above.header.height - headers));
  }

  /** What rests on another block than this node's is no response to it; forks are found where blocks come in. */
  accept(): Promise<string> {
    return Promise.resolve("known");
  }

  get #tipHeight(): Height {
    return this.#dependencies.database.blocks.tipHeight() ?? -1;
  }

  /** With an empty set, and without a commit, where those are not here. */
  #own(height: Height): TrustedBlock | undefined {
    const { blocks, validatorSets } = this.#dependencies.database;
    const header = readOwn(() => blocks.header(height));
    if (header === undefined) return undefined;
    const { hash } = this.#dependencies.rules;
    const validators = validatorSets.at(height);
    const isItsSet = validatorsHash(validators, hash) === header.validatorsHash;
    const commit = readOwn(() => blocks.commit(height)) ?? null;
    return { header, hash: headerHash(header, hash), commit, validators: isItsSet ? validators : [] };
  }

  #complete(height: Height): TrustedBlock | undefined {
    const own = this.#own(height);
    return own !== undefined && isComplete(own) ? own : undefined;
  }

  /** The nearest own header above one that is not here: single ones outlive the others, and those of kept entries were proven. */
  #above(height: Height): TrustedBlock | undefined {
    const own = this.#aboveInBlocks(height);
    const kept = this.#dependencies.database.explorer.keptHeader(height + 1);
    if (kept === undefined || (own !== undefined && own.header.height <= kept.header.height)) return own;
    return { header: kept.header, hash: headerHash(kept.header, this.#dependencies.rules.hash), commit: kept.commit, validators: [] };
  }

  #aboveInBlocks(height: Height): TrustedBlock | undefined {
    const { blocks } = this.#dependencies.database;
    const next = Math.min(height + 1, this.#tipHeight);
    const first = Math.max(next, blocks.firstHeader());
    const single = blocks.singleHeaderFrom(next) ?? first;
    return (single < first ? this.#own(single) : undefined) ?? this.#own(first);
  }

  /** What a peer adds to an own header is held to its hash. */
  async #completed(own: TrustedBlock, offered: OfferedBlock | undefined): Promise<TrustedBlock> {
    const { peers, rules, signal } = this.#dependencies;
    const { height } = own.header;
    const checked = offered === undefined ? undefined : checkBlockOfHash(offered.block, own.hash, rules);
    if (checked !== undefined && !("reason" in checked)) return checked;
    for (const { name } of peers.peers().slice(0, LIGHT_LIMITS.peersPerRequest)) {
      const proposed = await peers.lightBlock(name, height, signal).catch(absentForPeer);
      const found = proposed === undefined ? undefined : checkBlockOfHash(proposed, own.hash, rules);
      if (found !== undefined && !("reason" in found)) return found;
      if (found !== undefined) peers.report(name, "invalid");
    }
    throw new CodedError("UPSTREAM_FAILED", `No connected node serves block ${height} with its proof`);
  }
}

function absentForPeer(error: unknown): undefined {
  if (!isCodedError(error)) throw error;
}

/** Block 0 has no commit. */
function isComplete({ header, commit, validators }: TrustedBlock): boolean {
  return validators.length > 0 && (commit !== null || header.height === 0);
}

/** A file may be dropped between two reads. */
function readOwn<T extends BlockHeader | object>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isCodedError(error, "HISTORY_PRUNED")) return undefined;
    throw error;
  }
}
