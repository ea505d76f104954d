// Who is asked for old blocks: connected nodes whose status says that they hold them, one request at a time. What such a status says is worth
// a request; a peer that does not answer rests, one that lies is not asked for long.
import { Deadline } from "#node/light/deadline.ts";
import type { PeerName, PeerNetwork } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { BlockHeader, Height } from "#shared/protocol/chain/header.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import {
  type SnapshotRequest,
  type SnapshotResponse,
  snapshotRequestCodec,
  snapshotResponseCodec,
} from "../snapshots/wire/snapshot-messages.ts";
import { BACKFILL_LIMITS } from "./backfill-limits.ts";
import type { SentBlock } from "./filled-block.ts";

export interface BackfillPeersDependencies {
  readonly network: Pick<PeerNetwork, "peers" | "requestBlocks" | "requestSnapshot" | "report">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
  readonly log: Pick<Log, "warn">;
}

interface KnownPeer {
  failures: number;
  /** Until when it is not asked. */
  restsUntilMs: number;
  /** Order of the last request. */
  asked: number;
}

/** What a peer sent, and who it was. */
export interface FromPeer<T> {
  readonly peer: PeerName;
  readonly value: T;
}

/** What peers are asked for, one after the other. */
interface PeerRequest<S, T> {
  ask(peer: PeerName, signal: AbortSignal): Promise<S | undefined>;
  /** What the response says; a text says why it is false. */
  check(sent: S): T | string;
  /** Called where a peer took too long. */
  readonly onLate?: () => void;
}

/** Peers that are remembered. */
const MAX_REMEMBERED = 256;

export class BackfillPeers {
  readonly #dependencies: BackfillPeersDependencies;
  readonly #known = new Map<PeerName, KnownPeer>();
  #requests = 0;
  /** Blocks that are requested at once: half as many, until the node starts again, each time that they took too long. */
  #mostBlocks: number = BACKFILL_LIMITS.batchBlocks;

  constructor(dependencies: BackfillPeersDependencies) {
    this.#dependencies = dependencies;
  }

  /** The lowest block that a peer says it holds which may be asked now, with all blocks up to a height; undefined where none does. */
  lowest(height: Height): Height | undefined {
    const heights = this.#usable(height).map(({ firstHeight }) => firstHeight);
    return heights.length === 0 ? undefined : Math.min(...heights);
  }

  /** Headers that pass a check, from the first peer that has such. */
  headers<T>(
    from: Height,
    count: number,
    check: (headers: readonly BlockHeader[]) => T | string,
    signal: AbortSignal,
  ): Promise<T | undefined> {
    const ask = async (peer: PeerName, inner: AbortSignal): Promise<readonly BlockHeader[] | undefined> => {
      const response = await this.#snapshot(peer, { kind: "headers", from, count }, inner);
      return response?.kind === "headers" ? response.headers : undefined;
    };
    return this.#first(from, { ask, check }, signal).then((found) => found?.value);
  }

  /** Blocks with their receipts from a height on, as many as a peer gives: at most so many. They prove nothing yet. */
  async blocks(from: Height, count: number, signal: AbortSignal): Promise<FromPeer<readonly SentBlock[]> | undefined> {
    const ask = async (peer: PeerName, inner: AbortSignal): Promise<readonly SentBlock[] | undefined> => {
      const received = await this.#dependencies.network.requestBlocks(peer, from, Math.min(count, this.#mostBlocks), inner);
      if (received.length === 0) return undefined;
      const response = await this.#snapshot(peer, { kind: "receipts", from, count: received.length }, inner);
      // A list without any is nothing: who gave such would be asked again and again.
      if (response?.kind !== "receipts" || response.blocks.length === 0) return undefined;
      return response.blocks.flatMap((receipts, index) => {
        const block = received[index];
        return block === undefined ? [] : [{ block: block.encoded, receipts }];
      });
    };
    const onLate = (): void => {
      this.#mostBlocks = Math.max(1, Math.floor(Math.min(count, this.#mostBlocks) / 2));
    };
    return await this.#first(from, { ask, check: (blocks) => blocks, onLate }, signal);
  }

  /** What a peer sent is not what a header says. */
  lied(peer: PeerName, reason: string): void {
    this.#dependencies.log.warn({ peer, reason }, "A peer sent an old block that is not proven");
    this.#dependencies.network.report(peer, "lie");
    this.#peer(peer).restsUntilMs = this.#nowMs + BACKFILL_LIMITS.liarMs;
  }

  /** What a peer sent was of use. */
  proved(peer: PeerName): void {
    this.#peer(peer).failures = 0;
  }

  /** The peers that hold a block, who was not asked for longest first. */
  having(height: Height): readonly PeerName[] {
    return this.#usable(height)
      .map(({ name }) => ({ name, ...this.#peer(name) }))
      .toSorted((a, b) => a.failures - b.failures || a.asked - b.asked)
      .map(({ name }) => name);
  }

  async #first<S, T>(height: Height, { ask, check, onLate }: PeerRequest<S, T>, signal: AbortSignal): Promise<FromPeer<T> | undefined> {
    for (const peer of this.having(height).slice(0, BACKFILL_LIMITS.peersPerRequest)) {
      this.#requests += 1;
      this.#peer(peer).asked = this.#requests;
      const deadline = new Deadline(this.#dependencies.timers, BACKFILL_LIMITS.responseMs, signal);
      const sent = await deadline.within((inner) => ask(peer, inner));
      deadline.end();
      if (signal.aborted) return undefined;
      if (deadline.isPassed) {
        this.#dependencies.network.report(peer, "unresponsive");
        onLate?.();
      }
      if (sent === undefined) {
        this.#rest(peer);
        continue;
      }
      const checked = check(sent);
      if (typeof checked !== "string") return { peer, value: checked };
      this.lied(peer, checked);
    }
    return undefined;
  }

  /** Undefined for what is no response to the request, for which the peer has paid. @throws CodedError UPSTREAM_FAILED */
  async #snapshot(peer: PeerName, request: SnapshotRequest, signal: AbortSignal): Promise<SnapshotResponse | undefined> {
    const received = await this.#dependencies.network.requestSnapshot(peer, { bytes: encode(snapshotRequestCodec, request) }, signal);
    const response = tryDecode(snapshotResponseCodec, received);
    if (response !== undefined && [request.kind, "unknown", "busy"].includes(response.kind)) return response;
    this.#dependencies.network.report(peer, "malformed");
    return undefined;
  }

  #usable(height: Height): readonly { readonly name: PeerName; readonly firstHeight: Height }[] {
    const nowMs = this.#nowMs;
    return this.#dependencies.network.peers().flatMap(({ name, status }) => {
      if (status === null || status.firstHeight > Math.max(1, height) || status.height < height) return [];
      if ((this.#known.get(name)?.restsUntilMs ?? 0) > nowMs) return [];
      // Block 0 is its header.
      return [{ name, firstHeight: status.firstHeight <= 1 ? 0 : status.firstHeight }];
    });
  }

  #rest(name: PeerName): void {
    const peer = this.#peer(name);
    const { firstPauseMs, lastPauseMs } = BACKFILL_LIMITS;
    peer.restsUntilMs = this.#nowMs + Math.min(lastPauseMs, firstPauseMs * 2 ** peer.failures);
    peer.failures += 1;
  }

  get #nowMs(): number {
    return this.#dependencies.clock.monotonicMs();
  }

  #peer(name: PeerName): KnownPeer {
    const known = this.#known.get(name) ?? { failures: 0, restsUntilMs: 0, asked: 0 };
    const oldest = this.#known.has(name) || this.#known.size < MAX_REMEMBERED ? undefined : this.#known.keys().next();
    if (oldest !== undefined && oldest.done !== true) this.#known.delete(oldest.value);
    this.#known.set(name, known);
    return known;
  }
}

/** The same without an expected failure. */
export async function withoutFailure<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isCodedError(error)) return undefined;
    throw error;
  }
}
