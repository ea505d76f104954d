// Blocks that gossip brings, the next one or any other. Only of one that is proven to be decided, and is of use, more than header and commit
// is looked at.
import type { BlockComparison, DecidedBlock, FollowOutcome } from "#node/engine/execution/decided-block.ts";
import type { FinalBlock, PeerName, ReceivedBlock, ValidationResult } from "#node/network/peer-network.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { BlockWindow } from "./block-window.ts";
import type { DecidedProofs } from "./decided-proof.ts";

/** Copies of the last blocks that gossip brings late are forwarded; older ones no peer needs. */
const RECENT_BLOCKS = 3;

/** What gossip does with a block of a height that is over: what no validators decided costs its bringer, whenever it comes. */
const COMPARED = { own: "accept", false: "reject", other: "ignore" } as const;

/** The chain as its blocks on the way see it. */
export interface GossipChain extends DecidedProofs {
  /** Height of the tip. */
  height(): Height;
  /** Takes in blocks without gaps, as many as are proven. @returns what became of the first that was new. */
  applyBatch(batch: readonly DecidedBlock[]): Promise<FollowOutcome>;
  /** What a block of a height that is over is beside the own one. */
  compare(received: ReceivedBlock): BlockComparison;
}

export interface GossipedBlocksDependencies {
  readonly chain: GossipChain;
  /** Proven blocks that come too early wait there. */
  readonly window: Pick<BlockWindow, "add" | "isWanted">;
  /** A block of this height is decided. */
  onProven(height: Height): void;
  /** A peer brought a block of a height that is too far for now: a hint that this node is behind. */
  onHeight(peer: PeerName, height: Height): void;
}

/** Validates them, and follows the next one. */
export class GossipedBlocks {
  readonly #dependencies: GossipedBlocksDependencies;

  constructor(dependencies: GossipedBlocksDependencies) {
    this.#dependencies = dependencies;
  }

  async validate(received: ReceivedBlock, peer: PeerName): Promise<ValidationResult> {
    const { chain, window, onProven } = this.#dependencies;
    const { header, commit } = received;
    const { height } = header;
    const tip = chain.height();
    if (height <= tip) return this.#compare(received);
    const proof = await chain.proveHeader(header, commit);
    // The set of the next height is known.
    if (proof === "false" || (proof === "unknown" && height === tip + 1)) return "reject";
    if (proof === "proven") onProven(height);
    const isOfUse = height === chain.height() + 1 || window.isWanted(height, chain.height());
    if (proof === "unknown" || !isOfUse) return this.#noteHeight(height, peer);
    const block = received.read();
    if (block === undefined) return "reject";
    return await this.#follow({ block, commit }, peer, received);
  }

  async #follow(final: FinalBlock, peer: PeerName, received: ReceivedBlock): Promise<ValidationResult> {
    const { chain, window } = this.#dependencies;
    const { height } = final.block.header;
    const isNext = (): boolean => height === chain.height() + 1;
    const proof = isNext() ? await chain.prepare(final) : await chain.prove(final);
    if (proof === "false") return "reject";
    if (height <= chain.height()) return this.#compare(received);
    const outcome = isNext() ? await chain.applyBatch([final]) : "ahead";
    if (outcome === "committed") return "accept";
    if (outcome === "invalid") return "reject";
    if (outcome !== "ahead") return this.#compare(received);
    if (proof === "proven") window.add(received, peer, { tip: chain.height(), block: final.block });
    return this.#noteHeight(height, peer);
  }

  /** Old blocks are not forwarded: no peer needs them. */
  #compare(received: ReceivedBlock): ValidationResult {
    const { chain } = this.#dependencies;
    const result = COMPARED[chain.compare(received)];
    return result === "accept" && received.header.height <= chain.height() - RECENT_BLOCKS ? "ignore" : result;
  }

  #noteHeight(height: Height, peer: PeerName): ValidationResult {
    this.#dependencies.onHeight(peer, height);
    return "ignore";
  }
}
