// Verified blocks below the tip: by skipping forward from a trusted block below, or by the hashes of parents from one above.
import { LRUCache } from "lru-cache";
import type { PeerName } from "#node/network/peer-network.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { type HashHex, type Height, headerHash } from "#shared/protocol/chain/header.ts";
import type { LightBlock, TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { checkBlockOfHash, isExpired, type LightRules, verifyLightBlock } from "#shared/protocol/light/verify-light-block.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { Deadline } from "../deadline.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { LightPeer, LightPeers, OfferedBlock } from "../light-peers.ts";
import type { VerifiedBlocks } from "./verified-blocks.ts";
import { verifySkipping } from "./verify-skipping.ts";

/** Time for all requests to one peer about one block, ms; a peer that needs longer pays for it. */
export const FIND_TIMEOUT_MS = 60_000;
/** Peers that are tried for one block. */
const MOST_PEERS = 4;
/** Hashes below trusted blocks that are remembered. */
const REMEMBERED_HASHES = 2 * LIGHT_LIMITS.headersBack;

export interface BlockFinderDependencies {
  readonly blocks: VerifiedBlocks;
  readonly peers: LightPeers;
  readonly rules: LightRules;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  /** Validators signed what contradicts a trusted block. */
  onContradiction(trusted: TrustedBlock, other: TrustedBlock, reason: string): void;
}

/** The height of a block that lies too far below all that is verified; undefined for another error. */
export function heightTooFar(error: unknown): Height | undefined {
  return isCodedError(error, "UNAVAILABLE") && typeof error.details.tooFar === "number" ? error.details.tooFar : undefined;
}

function tooFar(height: Height): CodedError {
  return new CodedError(
    "UNAVAILABLE",
    `Block ${height} is more than ${LIGHT_LIMITS.headersBack} blocks below all that this node has verified: ask a full node for it`,
    { details: { tooFar: height } },
  );
}

/** Who is asked, and how long. */
interface Source {
  readonly peer: PeerName;
  readonly deadline: Deadline;
}

/** Finds blocks of the past. */
export class BlockFinder {
  readonly #dependencies: BlockFinderDependencies;
  /** Requests under way. */
  readonly #asked = new Map<Height, Promise<TrustedBlock>>();
  /** Hashes that follow from trusted blocks above. */
  readonly #hashes = new LRUCache<Height, HashHex>({ max: REMEMBERED_HASHES });
  /** Walks down go one after another: the next one profits from what the last one learnt. */
  #lastBackwards: Promise<unknown> = Promise.resolve();

  constructor(dependencies: BlockFinderDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The verified block of a height below a trusted one. What came with a response is tried first; that it does not verify costs its
   * peer nothing here: who rests a response on it compares both.
   * @throws CodedError UPSTREAM_FAILED when no peer proves one, UNAVAILABLE when it is too far from all that is trusted
   */
  find(height: Height, offered?: OfferedBlock): Promise<TrustedBlock> {
    const known = this.#dependencies.blocks.at(height);
    if (known !== undefined) return Promise.resolve(known);
    const asked = this.#asked.get(height) ?? this.#find(height, offered).finally(() => this.#asked.delete(height));
    this.#asked.set(height, asked);
    return asked;
  }

  async #find(height: Height, offered: OfferedBlock | undefined): Promise<TrustedBlock> {
    const verified = offered === undefined ? undefined : this.#verifyOffered(height, offered.block);
    if (verified !== undefined) {
      this.#dependencies.blocks.remember(verified);
      return verified;
    }
    for (const { name } of this.#able(height).slice(0, MOST_PEERS)) {
      const block = await this.#findWith(name, height);
      // The store may be closed by now.
      if (this.#dependencies.signal.aborted) throw new CodedError("UNAVAILABLE", "The node is stopping");
      if (block === undefined) continue;
      this.#dependencies.blocks.remember(block);
      return block;
    }
    throw new CodedError(
      "UPSTREAM_FAILED",
      `No connected node serves block ${height} with its proof: try again when others are connected`,
      {
        details: { height },
      },
    );
  }

  /** Who has the block itself is asked first; others keep headers and commits for a while longer. */
  #able(height: Height): readonly LightPeer[] {
    const peers = this.#dependencies.peers.peers().filter((peer) => peer.height >= height);
    const hasBlock = ({ firstHeight = 0 }: LightPeer): boolean => firstHeight <= height;
    return [...peers.filter(hasBlock), ...peers.filter((peer) => !hasBlock(peer) && (peer.firstHeader ?? height + 1) <= height)];
  }

  /** In one step, without any request: by its hash, or by the signatures of validators that a block below names. */
  #verifyOffered(height: Height, proposed: LightBlock): TrustedBlock | undefined {
    const { blocks, clock, rules } = this.#dependencies;
    if (proposed.header.height !== height) return undefined;
    const hash = this.#provenHash(height);
    if (hash !== undefined) {
      const checked = checkBlockOfHash(proposed, hash, rules);
      return "reason" in checked ? undefined : checked;
    }
    const below = blocks.below(height);
    if (isExpired(below.header, clock.nowMs(), rules)) return undefined;
    const result = verifyLightBlock(below, proposed, clock.nowMs(), rules);
    return result.outcome === "verified" ? result.block : undefined;
  }

  async #findWith(peer: PeerName, height: Height): Promise<TrustedBlock | undefined> {
    const { blocks, clock, rules } = this.#dependencies;
    const hash = this.#provenHash(height);
    if (hash !== undefined) return await this.#within(peer, (source) => this.#fetchByHash(source, height, hash));
    const below = blocks.below(height);
    if (!isExpired(below.header, clock.nowMs(), rules))
      return await this.#within(peer, (source) => this.#skipForward(source, below, height));
    const above = blocks.above(height);
    if (above === undefined || above.header.height - height > LIGHT_LIMITS.headersBack) throw tooFar(height);
    const backwards = this.#lastBackwards.then(() => this.#within(peer, (source) => this.#verifyBackwards(source, height)));
    this.#lastBackwards = backwards.catch(() => undefined);
    return await backwards;
  }

  /** Asks a peer within its time. */
  async #within<T>(peer: PeerName, work: (source: Source) => Promise<T>): Promise<T> {
    const { timers, signal, peers } = this.#dependencies;
    const deadline = new Deadline(timers, FIND_TIMEOUT_MS, signal);
    try {
      return await work({ peer, deadline });
    } finally {
      deadline.end();
      if (deadline.isPassed) peers.report(peer, "unresponsive");
    }
  }

  #provenHash(height: Height): HashHex | undefined {
    return this.#dependencies.blocks.at(height + 1)?.header.parentHash ?? this.#hashes.get(height);
  }

  async #fetchByHash(source: Source, height: Height, hash: HashHex): Promise<TrustedBlock | undefined> {
    const proposed = await this.#ask(source, height);
    return proposed === undefined ? undefined : this.#checked(source.peer, proposed, hash);
  }

  async #skipForward(source: Source, below: TrustedBlock, height: Height): Promise<TrustedBlock | undefined> {
    const { blocks, clock, rules, peers, onContradiction } = this.#dependencies;
    const proposed = await this.#ask(source, height);
    if (proposed === undefined) return undefined;
    if (proposed.header.height !== height) {
      peers.report(source.peer, "malformed");
      return undefined;
    }
    const { end, reached } = await verifySkipping(below, proposed, {
      rules,
      nowMs: clock.nowMs(),
      ask: (between): Promise<LightBlock | undefined> => this.#ask(source, between),
      onVerified: (block): void => blocks.remember(block),
    });
    if (end.outcome === "verified") return end.block;
    if (end.outcome === "contradiction") onContradiction(reached, end.block, end.reason);
    if (end.outcome === "invalid") peers.report(source.peer, "invalid");
    return undefined;
  }

  /** Fetches headers downwards, each of which names the hash of the one below it. */
  async #verifyBackwards(source: Source, height: Height): Promise<TrustedBlock | undefined> {
    // The walk before may have come by.
    const known = this.#provenHash(height);
    if (known !== undefined) return await this.#fetchByHash(source, height, known);
    let lowest = this.#dependencies.blocks.above(height);
    while (lowest !== undefined && lowest.header.height > height) lowest = await this.#stepBack(source, lowest, height);
    return lowest;
  }

  /** One range down from a trusted block: its lowest block, checked. */
  async #stepBack(source: Source, above: TrustedBlock, height: Height): Promise<TrustedBlock | undefined> {
    const range = await this.#rangeUpTo(source, above.header.height - 1, height);
    const lowest = range?.[0];
    if (range === undefined || lowest === undefined) return undefined;
    const hash = this.#follow(range, above);
    if (hash === undefined) this.#dependencies.peers.report(source.peer, "invalid");
    const checked = hash === undefined ? undefined : this.#checked(source.peer, lowest, hash);
    if (checked !== undefined) this.#dependencies.blocks.remember(checked);
    return checked;
  }

  /** Blocks that end at a height: as many as fit into a response, for the highest are the ones that are needed. */
  async #rangeUpTo({ peer, deadline }: Source, upper: Height, lowest: Height): Promise<readonly LightBlock[] | undefined> {
    for (let count = Math.min(LIGHT_LIMITS.blocksPerRequest, upper - lowest + 1); count > 0; ) {
      const [from, asked] = [upper - count + 1, count];
      const range = await deadline.within((signal) => this.#dependencies.peers.lightBlocks(peer, from, asked, signal));
      if (range === undefined || range.length >= count) return range;
      count = range.length;
    }
    return undefined;
  }

  /** The hash of the lowest header of a range that ends below a trusted block; undefined when they do not follow each other. */
  #follow(range: readonly LightBlock[], above: TrustedBlock): HashHex | undefined {
    let { height, parentHash } = above.header;
    for (const { header } of range.toReversed()) {
      height -= 1;
      if (header.height !== height || headerHash(header, this.#dependencies.rules.hash) !== parentHash) return undefined;
      this.#hashes.set(height, parentHash);
      parentHash = header.parentHash;
    }
    return this.#hashes.get(height);
  }

  #checked(peer: PeerName, proposed: LightBlock, hash: HashHex): TrustedBlock | undefined {
    const checked = checkBlockOfHash(proposed, hash, this.#dependencies.rules);
    if (!("reason" in checked)) return checked;
    this.#dependencies.peers.report(peer, "invalid");
    return undefined;
  }

  async #ask({ peer, deadline }: Source, height: Height): Promise<LightBlock | undefined> {
    return await deadline.within((signal) => this.#dependencies.peers.lightBlock(peer, height, signal));
  }
}
