// Peers send each other chain and height when they connect and whenever their height changes; a node of another chain is disconnected.
import type { Connection, Stream } from "@libp2p/interface";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { TokenBucket } from "../flow/token-bucket.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { ChainStatus, PeerName } from "../peer-network.ts";
import { FIRST_STATUS_PROTOCOL, SECOND_STATUS_PROTOCOL, STATUS_PROTOCOL } from "../protocol-names.ts";
import { FrameSender, type OutgoingFrame } from "../wire/frame-sender.ts";
import { dropStream, readFrames } from "../wire/frames.ts";
import { firstStatusCodec, secondStatusCodec, statusCodec } from "../wire/wire-codec.ts";
import type { PeerContext } from "./request-protocol.ts";

export interface StatusExchangeDependencies extends PeerContext {
  readonly chainId: string;
  readonly genesisHash: string;
  readonly ownStatus: () => ChainStatus;
  readonly onStatus: (status: ChainStatus, from: PeerName) => void;
  /** A peer is on another chain, or on one of the same name with another genesis; it is disconnected. The name is whatever the peer sent. */
  readonly onForeign: (from: PeerName, chainId: string) => void;
}

/** The newest one first. */
const PROTOCOLS = [STATUS_PROTOCOL, SECOND_STATUS_PROTOCOL, FIRST_STATUS_PROTOCOL];

/** A sender for each peer; of several changes in a row, only the last is sent. */
export class StatusExchange {
  readonly #dependencies: StatusExchangeDependencies;
  readonly #senders = new Map<PeerName, FrameSender>();
  readonly #buckets = new Map<PeerName, TokenBucket>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #publishedAtMs = Number.NEGATIVE_INFINITY;

  constructor(dependencies: StatusExchangeDependencies) {
    this.#dependencies = dependencies;
  }

  async start(): Promise<void> {
    await this.#dependencies.libp2p.handle(PROTOCOLS, (stream, connection) => this.#listen(stream, connection.remotePeer.toString()), {
      maxInboundStreams: 2,
      maxOutboundStreams: 2,
      runOnLimitedConnection: true,
    });
  }

  /** Sends it to a new peer. */
  greet(peer: PeerName): void {
    if (this.#isClosed) return;
    this.#senders.get(peer)?.close();
    const sender = new FrameSender({
      protocol: PROTOCOLS,
      queuedFrames: 1,
      queuedBytes: NETWORK_LIMITS.statusBytes,
      openTimeoutMs: NETWORK_LIMITS.statusTimeoutMs,
      clock: this.#dependencies.clock,
      connection: (): Connection | undefined => this.#dependencies.connectionTo(peer),
    });
    this.#senders.set(peer, sender);
    sender.send(this.#ownFrame());
  }

  /** Sends it to all peers, soon. */
  publish(): void {
    if (this.#isClosed || this.#timer !== undefined) return;
    const waitMs = this.#publishedAtMs + NETWORK_LIMITS.statusIntervalMs - this.#dependencies.clock.monotonicMs();
    if (waitMs <= 0) this.#publishToAll();
    else this.#timer = setTimeout(() => this.#publishToAll(), waitMs);
  }

  /** Sends it again to peers without an open stream. */
  maintain(): void {
    for (const sender of this.#senders.values()) if (!sender.isOpen) sender.send(this.#ownFrame());
  }

  forget(peer: PeerName): void {
    this.#senders.get(peer)?.close();
    this.#senders.delete(peer);
    this.#buckets.delete(peer);
  }

  /** Ends it for good: what is asked of it later reads nothing, as the chain may be closed by then. */
  close(): void {
    this.#isClosed = true;
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    for (const sender of this.#senders.values()) sender.close();
    this.#senders.clear();
  }

  #publishToAll(): void {
    this.#timer = undefined;
    this.#publishedAtMs = this.#dependencies.clock.monotonicMs();
    const frame = this.#ownFrame();
    for (const sender of this.#senders.values()) sender.send(frame);
  }

  #ownFrame(): OutgoingFrame {
    const { chainId, genesisHash, ownStatus } = this.#dependencies;
    const { firstHeader, snapshots = [], keepsFrom, ...status } = ownStatus();
    const first = { chainId, genesisHash, ...status };
    const second = { ...first, firstHeader: firstHeader ?? status.firstHeight, snapshots };
    return {
      bytes: encode(statusCodec, { ...second, keepsFrom: keepsFrom ?? status.firstHeight }),
      isExpendable: true,
      otherwise: { [SECOND_STATUS_PROTOCOL]: encode(secondStatusCodec, second), [FIRST_STATUS_PROTOCOL]: encode(firstStatusCodec, first) },
    };
  }

  #listen(stream: Stream, peer: PeerName): void {
    stream.inactivityTimeout = Number.POSITIVE_INFINITY;
    readFrames(stream, {
      maxBytes: NETWORK_LIMITS.statusBytes,
      onFrame: (frame) => {
        if (!this.#take(frame, { peer, protocol: stream.protocol })) dropStream(stream, "The status was not of use");
      },
      onEnd: (problem) => {
        if (problem === "malformed") this.#dependencies.report(peer, "malformed");
        dropStream(stream, "The peer sends no more");
      },
    });
  }

  #take(frame: Uint8Array, { peer, protocol }: { readonly peer: PeerName; readonly protocol: string }): boolean {
    const { chainId, genesisHash, clock, onStatus, onForeign, report } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    const bucket = this.#buckets.get(peer) ?? new TokenBucket(NETWORK_LIMITS.statuses, nowMs);
    this.#buckets.set(peer, bucket);
    if (!bucket.take(1, nowMs)) {
      report(peer, "flood");
      return true;
    }
    const status = readStatus(frame, protocol);
    if (status === undefined) {
      report(peer, "malformed");
      return false;
    }
    if (status.chainId !== chainId || status.genesisHash !== genesisHash) {
      onForeign(peer, status.chainId);
      report(peer, "wrongChain");
      return false;
    }
    const { chainId: _chainId, genesisHash: _genesisHash, ...own } = status;
    onStatus(own, peer);
    return true;
  }
}

type ReceivedStatus = ChainStatus & { readonly chainId: string; readonly genesisHash: string };

function readStatus(frame: Uint8Array, protocol: string): ReceivedStatus | undefined {
  if (protocol === FIRST_STATUS_PROTOCOL) return tryDecode(firstStatusCodec, frame);
  return protocol === SECOND_STATUS_PROTOCOL ? tryDecode(secondStatusCodec, frame) : tryDecode(statusCodec, frame);
}
