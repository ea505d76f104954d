// A proposal whose block travels in parts, as this node knows it.
import { encode } from "#shared/codec/codec.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { PartAssembly } from "./part-assembly.ts";
import { encodePartMessage, type PartsHead, partsHeadCodec } from "./part-codec.ts";
import { relayCount, relayRank } from "./part-layout.ts";

/** What a proposal is made of. */
export interface PartProposalParts {
  readonly head: PartsHead;
  readonly assembly: PartAssembly;
  readonly proposer: PublicKeyHex;
  /** All other validators, and those of them that pass parts on, in their order. */
  readonly others: readonly PublicKeyHex[];
  readonly order: readonly PublicKeyHex[];
  readonly nowMs: number;
}

/** One proposal. */
export class PartProposal {
  readonly head: PartsHead;
  readonly encodedHead: Uint8Array;
  readonly assembly: PartAssembly;
  readonly proposer: PublicKeyHex;
  readonly others: readonly PublicKeyHex[];
  readonly order: readonly PublicKeyHex[];
  /** Validators that passed a part on to this node. */
  readonly helpers = new Set<PublicKeyHex>();
  /** Validators that say by their vote that they have the block. */
  readonly holders = new Set<PublicKeyHex>();
  /** Parts that this node requested to pass them on. */
  readonly spare = new Set<number>();
  /** When something last happened, and how often parts were requested since. */
  movedMs: number;
  requests = 0;
  /** When the engine last got it, ms. */
  deliveredMs = Number.NEGATIVE_INFINITY;

  constructor({ head, assembly, proposer, others, order, nowMs }: PartProposalParts) {
    this.head = head;
    this.encodedHead = encode(partsHeadCodec, head);
    this.assembly = assembly;
    this.proposer = proposer;
    this.others = others;
    this.order = order;
    this.movedMs = nowMs;
  }

  /** Validators that get a part from the proposer and pass it on. */
  relaysOf(index: number): readonly PublicKeyHex[] {
    const { order } = this;
    return Array.from(
      { length: Math.min(order.length, relayCount(this.others.length)) },
      (_, rank) => order[(index + rank) % order.length] as PublicKeyHex,
    );
  }

  /** How far behind the relays of a part a validator stands: negative for a relay. */
  distanceBehindRelays(validator: PublicKeyHex, index: number): number {
    return relayRank(this.order, validator, index) - relayCount(this.others.length);
  }

  /** Bytes of a part with its head. */
  encodePart(index: number): Uint8Array | undefined {
    const part = this.assembly.part(index);
    return part === undefined ? undefined : encodePartMessage({ type: "part", head: this.encodedHead, ...part });
  }
}
