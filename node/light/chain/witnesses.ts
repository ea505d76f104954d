// Second opinions: before a light node follows a block it asks other peers what they have at that height, and where none responded
// it asks again later. A peer without a response is no witness; one with a conflicting header is examined by the caller.
import type { PeerName } from "#node/network/peer-network.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { type HashHex, type Height, headerHash } from "#shared/protocol/chain/header.ts";
import type { LightBlock, TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import { Deadline } from "../deadline.ts";
import type { LightPeers } from "../light-peers.ts";

/** Peers that are asked at once. */
const ASKED_AT_ONCE = 2;
/** A response that takes longer is waited for no more, ms: the peer is asked again later. */
export const WITNESS_TIMEOUT_MS = 3_000;
/** Time between two tries to find a witness, ms. */
export const WITNESS_RETRY_MS = 2_000;
/** Blocks without a witness that are remembered; with a newer one that builds on them they are confirmed too. */
const MAX_UNCONFIRMED = 64;
/** A peer may have moved this far since it said how far it is. */
const STALE_HEIGHTS = 2;

/** What witnesses say: one agrees; there is none to ask or none could say; or what one said ended everything. */
export type WitnessResponse = "agreed" | "absent" | "forked";

/** What second opinions work with. */
export interface WitnessDependencies {
  readonly peers: LightPeers;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  readonly hash: Sha256;
  /** A witness has another block at the height of `block`. @returns true when that is a fork */
  examine(block: TrustedBlock, other: LightBlock, witness: PeerName): Promise<boolean>;
  onError(error: unknown): void;
}

interface Unconfirmed {
  readonly block: TrustedBlock;
  readonly source: PeerName;
}

/** Finds witnesses for blocks. */
export class Witnesses {
  readonly #dependencies: WitnessDependencies;
  /** Blocks that no peer has confirmed yet, oldest first. */
  #unconfirmed: Unconfirmed[] = [];
  #height: Height = 0;
  #turn = 0;
  #cancelRetry: CancelTimer | undefined;
  #isStopped = false;

  constructor(dependencies: WitnessDependencies) {
    this.#dependencies = dependencies;
  }

  /** The highest block that another peer confirmed. */
  get height(): Height {
    return this.#height;
  }

  /** Asks other peers than the one a block came from. */
  async ask(block: TrustedBlock, source: PeerName): Promise<WitnessResponse> {
    const { timers, signal } = this.#dependencies;
    const deadline = new Deadline(timers, WITNESS_TIMEOUT_MS, signal);
    const responses = this.#choose(block.header.height, source).map(({ name }) => this.#askWitness(block, name, deadline));
    try {
      // Looking at another block may take longer; a fork that shows then stops the node then.
      const response = (await Promise.race([Promise.any(responses), deadline.over])) ?? "absent";
      if (response === "agreed") this.#confirm(block);
      return response;
    } catch {
      return "absent";
    } finally {
      deadline.end();
    }
  }

  /** Asks for a witness of a block later, until one is found. */
  askLater(block: TrustedBlock, source: PeerName): void {
    this.#unconfirmed.push({ block, source });
    if (this.#unconfirmed.length > MAX_UNCONFIRMED) this.#unconfirmed.shift();
    this.#retryLater();
  }

  /** A header that a peer proposes confirms the same block of another source. */
  onProposed(height: Height, hash: HashHex, peer: PeerName): void {
    const unconfirmed = this.#unconfirmed.find(
      ({ block, source }) => block.header.height === height && block.hash === hash && source !== peer,
    );
    if (unconfirmed !== undefined) this.#confirm(unconfirmed.block);
  }

  /** Sends no more requests. */
  stop(): void {
    this.#isStopped = true;
    this.#unconfirmed = [];
    this.#cancelRetry?.();
  }

  /** Those who should know a height, in turns: a liar is not asked every time. One of them has proven something, when there is such a peer. */
  #choose(height: Height, source: PeerName): readonly { readonly name: PeerName }[] {
    const able = this.#dependencies.peers.peers().filter((peer) => peer.name !== source && peer.height + STALE_HEIGHTS >= height);
    this.#turn += 1;
    const first = able.length === 0 ? 0 : this.#turn % able.length;
    const inTurn = [...able.slice(first), ...able.slice(0, first)];
    const proven = inTurn.find(({ isProven }) => isProven);
    const others = inTurn.filter((peer) => peer !== proven);
    return [...(proven === undefined ? [] : [proven]), ...others].slice(0, ASKED_AT_ONCE);
  }

  /** @throws Error when the peer is no witness. */
  async #askWitness(block: TrustedBlock, name: PeerName, deadline: Deadline): Promise<WitnessResponse> {
    try {
      const { peers, hash } = this.#dependencies;
      const { height } = block.header;
      const header = await deadline.within((signal) => peers.header(name, height, signal));
      if (header !== undefined && headerHash(header, hash) === block.hash) {
        peers.noteProven(name);
        return "agreed";
      }
      if (header !== undefined && (await this.#examine(block, name))) return "forked";
    } catch (error) {
      this.#dependencies.onError(error);
    }
    throw new Error("no witness");
  }

  /** A peer has another header: with what proves it, that is a fork; without, or with another answer than before, a lie. */
  async #examine(block: TrustedBlock, name: PeerName): Promise<boolean> {
    const { peers, hash, signal, examine } = this.#dependencies;
    // The time of an opinion may be over by now: a fork that shows late shows. What fails is paid for where it is requested.
    const other = await peers.lightBlock(name, block.header.height, signal).catch(unlessExpected);
    if (other === null || signal.aborted) return false;
    if (other !== undefined && headerHash(other.header, hash) !== block.hash) return await examine(block, other, name);
    peers.report(name, other === undefined ? "unresponsive" : "lie");
    return false;
  }

  /** Confirms a block and those that it builds on. */
  #confirm({ hash, header }: TrustedBlock): void {
    this.#height = Math.max(this.#height, header.height);
    const confirmed = new Set([hash, header.parentHash]);
    this.#unconfirmed = this.#unconfirmed
      .toReversed()
      .filter(({ block }) => {
        if (!confirmed.has(block.hash)) return true;
        confirmed.add(block.header.parentHash);
        return false;
      })
      .toReversed();
  }

  #retryLater(): void {
    if (this.#isStopped || this.#unconfirmed.length === 0) return;
    this.#cancelRetry ??= this.#dependencies.timers.setTimer(WITNESS_RETRY_MS, () => void this.#retry());
  }

  async #retry(): Promise<void> {
    this.#cancelRetry = undefined;
    // The newest one speaks for those below it.
    const unconfirmed = this.#unconfirmed.at(-1);
    if (unconfirmed === undefined) return;
    const response = await this.ask(unconfirmed.block, unconfirmed.source);
    if (response === "forked") return;
    // No peer has it any more, and a higher one is confirmed.
    if (response === "absent" && unconfirmed.block.header.height < this.#height)
      this.#unconfirmed = this.#unconfirmed.filter((other) => other !== unconfirmed);
    this.#retryLater();
  }
}

/** Null for a request that failed as some do. */
function unlessExpected(error: unknown): null {
  if (isCodedError(error)) return null;
  throw error;
}
