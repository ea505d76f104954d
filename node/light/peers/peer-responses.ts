// Requests until a response verifies: peers one after another, the next one where a peer is silent, busy or lies.
import type { PeerName } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { type Height, headerHash } from "#shared/protocol/chain/header.ts";
import type { LightBlock, TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import type { Timers } from "#shared/util/clock.ts";
import { heightTooFar } from "../chain/block-finder.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { OfferedBlock } from "../light-peers.ts";
import type { LightRequest, UNVERIFIED_READ } from "../wire/light-requests.ts";
import type { Checked } from "./check-responses.ts";
import type { LightRequester, ResponseTo } from "./network-light-peers.ts";

/** The verified chain, as far as responses rest on it. */
export interface VerifiedHeaders {
  tip(): TrustedBlock;
  /** Undefined above the tip. @throws CodedError UPSTREAM_FAILED, or UNAVAILABLE when nothing can be verified any more */
  blockAt(height: Height, offered?: OfferedBlock): Promise<TrustedBlock | undefined>;
  /** Verifies a block that a peer offers; `known` when that changes nothing. A peer that offers a false one pays. */
  accept(block: LightBlock, peer: PeerName): Promise<string>;
}

export interface PeerResponsesDependencies {
  readonly chain: VerifiedHeaders;
  readonly peers: LightRequester;
  readonly hash: Sha256;
  readonly timers: Timers;
  readonly log: Pick<Log, "warn">;
}

/** A response with content. */
export type ContentResponse<K extends LightRequest["kind"]> = Exclude<ResponseTo<K>, { readonly kind: "unknown" | "error" }>;

/** Responses of peers, checked. */
export class PeerResponses {
  readonly #dependencies: PeerResponsesDependencies;

  constructor(dependencies: PeerResponsesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Those that are asked for one thing, best first. */
  bestPeers(): readonly PeerName[] {
    return this.#dependencies.peers
      .peers()
      .slice(0, LIGHT_LIMITS.peersPerRequest)
      .map(({ name }) => name);
  }

  /**
   * What the first peer gives that has something. A CodedError of an attempt leads to the next peer.
   * @throws CodedError UPSTREAM_FAILED when none has it, UNAVAILABLE when this node cannot verify anything, or when all who have it name
   * blocks that lie too far below: that of the highest one
   */
  async first<T>(attempt: (peer: PeerName) => Promise<T>): Promise<T> {
    let cause: CodedError | undefined;
    for (const peer of this.bestPeers()) {
      try {
        return await attempt(peer);
      } catch (error) {
        if (!leadsToNext(error)) throw error;
        cause = nearest(cause, error);
      }
    }
    if (cause !== undefined && heightTooFar(cause) !== undefined) throw cause;
    const words = cause === undefined ? "No full node is connected" : "No connected node has a response that can be verified";
    throw new CodedError("UPSTREAM_FAILED", words, cause === undefined ? {} : { cause });
  }

  /** A response with content. @throws CodedError that says that there is none; a peer that is busy is asked again for a while. */
  async fetch<K extends LightRequest["kind"]>(
    peer: PeerName,
    request: Extract<LightRequest, { readonly kind: K }>,
  ): Promise<ContentResponse<K>> {
    for (let tries = 1; ; tries += 1) {
      const response: ResponseTo<LightRequest["kind"]> = await this.#dependencies.peers.ask<K>(peer, request);
      if (response.kind === "unknown") throw new CodedError("UPSTREAM_FAILED", `Peer ${peer} does not have it`);
      if (response.kind !== "error") return response as ContentResponse<K>;
      if (response.code !== "BUSY" || tries >= LIGHT_LIMITS.busyTries) throw refusal(response);
      await this.#pause();
    }
  }

  /** The block that a response rests on, once the own chain has verified it. @throws CodedError when it does not. */
  async trust({ header, commit, validators }: LightBlock, peer: PeerName): Promise<TrustedBlock> {
    const { chain, hash } = this.#dependencies;
    const block: LightBlock = { header, commit, validators };
    if (header.height > chain.tip().header.height) await chain.accept(block, peer);
    const trusted = await chain.blockAt(header.height, { block, peer });
    if (trusted === undefined) throw new CodedError("UPSTREAM_FAILED", `Peer ${peer} rests its response on a block that it does not prove`);
    if (trusted.hash === headerHash(header, hash)) return trusted;
    // The chain looks at it: validators that signed both have forked it, and a peer that made it up has paid by then.
    const outcome = await chain.accept(block, peer);
    if (outcome === "known" || outcome === "superseded") return this.rejectResponse(peer, `block ${header.height} is another one`);
    throw new CodedError("UPSTREAM_FAILED", `Peer ${peer} rests its response on another block ${header.height}`);
  }

  /** What was checked. @throws CodedError when it is false: the peer has paid for it. */
  unwrap<T>(peer: PeerName, checked: Checked<T>): T {
    if ("reason" in checked) return this.rejectResponse(peer, checked.reason);
    this.#dependencies.peers.noteProven(peer);
    return checked.value;
  }

  /** @throws CodedError: the peer has paid. */
  rejectResponse(peer: PeerName, reason: string): never {
    this.#dependencies.log.warn({ peer, lie: reason }, "A peer sent a false response");
    this.#dependencies.peers.report(peer, "lie");
    throw new CodedError("UPSTREAM_FAILED", `Peer ${peer} sent a false response: ${reason}`);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#dependencies.timers.setTimer(LIGHT_LIMITS.busyPauseMs, resolve));
  }
}

/** UNAVAILABLE comes from the own chain, and another peer does not change that; but which block a response rests on is a peer's claim. */
function leadsToNext(error: unknown): error is CodedError {
  return isCodedError(error) && (error.code !== "UNAVAILABLE" || heightTooFar(error) !== undefined);
}

/** Of the reasons of two peers the one that names the higher block out of reach, else the later one. */
function nearest(before: CodedError | undefined, now: CodedError): CodedError {
  const [height = -1, heightNow = -1] = [heightTooFar(before), heightTooFar(now)];
  return before !== undefined && height > heightNow ? before : now;
}

/** The peer's own reason, as a failure of this peer. */
export function refusal({ code, message }: Extract<ResponseTo<typeof UNVERIFIED_READ>, { readonly kind: "error" }>): CodedError {
  return new CodedError(code === "UNAVAILABLE" ? "BUSY" : code, message);
}
