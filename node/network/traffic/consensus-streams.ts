// Messages between validators on streams of their own, so that no amount of transactions delays a vote.
import type { Connection, Stream } from "@libp2p/interface";
import { encodeConsensusMessage } from "#node/engine/consensus-message-codec.ts";
import type { ConsensusMessage, MessageSender } from "#node/engine/consensus-network.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { FindTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { FlowMeter } from "../flow/token-bucket.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { PeerName } from "../peer-network.ts";
import { FrameSender } from "../wire/frame-sender.ts";
import { dropStream, readFrames } from "../wire/frames.ts";
import { tryDecodeConsensus } from "../wire/wire-codec.ts";
import { isPartMessage } from "./parts/part-codec.ts";
import type { PeerContext } from "./request-protocol.ts";

/** What the streams work with. */
export interface ConsensusStreamsDependencies extends PeerContext {
  readonly protocol: string;
  /** Other validators of the next height. */
  readonly validators: () => readonly PeerName[];
  /** Key of a validator; undefined for any other peer. */
  readonly keyOf: (peer: PeerName) => PublicKeyHex | undefined;
  /** The transaction that waits here under an id. */
  readonly pending: FindTransaction;
  readonly onMessage: (message: ConsensusMessage, from: PeerName, received: ReceivedFrame) => void;
  /** Takes a frame that belongs to a block in parts; false when it is malformed. */
  readonly onPart: (frame: Uint8Array, from: PeerName) => boolean;
}

/** What comes with a message. */
export interface ReceivedFrame {
  readonly sender: MessageSender;
  readonly bytes: number;
}

/** A sender for each connected validator. */
export class ConsensusStreams {
  readonly #dependencies: ConsensusStreamsDependencies;
  readonly #senders = new Map<PeerName, FrameSender>();
  readonly #meters = new Map<PeerName, FlowMeter>();
  readonly #inbound = new Map<Stream, PeerName>();
  /** Until when streams of a validator are refused. */
  readonly #refusedUntilMs = new Map<PeerName, number>();

  constructor(dependencies: ConsensusStreamsDependencies) {
    this.#dependencies = dependencies;
  }

  async start(): Promise<void> {
    const { libp2p, protocol } = this.#dependencies;
    await libp2p.handle(protocol, (stream, connection) => this.#listen(stream, connection.remotePeer.toString()), {
      maxInboundStreams: 2,
      maxOutboundStreams: 2,
      runOnLimitedConnection: true,
    });
  }

  /** Sends to every validator with a stream; gives those that have none, or one that broke lately. */
  send(message: ConsensusMessage): readonly PeerName[] {
    const { validators, connectionTo } = this.#dependencies;
    const bytes = encodeConsensusMessage(message);
    const isExpendable = message.type === "vote";
    return validators().filter((peer) => {
      if (connectionTo(peer) === undefined) return true;
      const sender = this.#senderTo(peer);
      sender.send({ bytes, isExpendable });
      return !sender.isSound;
    });
  }

  /** Sends to one validator, when it is connected. */
  sendTo(peer: PeerName, message: ConsensusMessage): void {
    if (!this.#isValidator(peer) || this.#dependencies.connectionTo(peer) === undefined) return;
    this.#senderTo(peer).send({ bytes: encodeConsensusMessage(message), isExpendable: message.type === "vote" });
  }

  /** A validator, as the engine is to blame and answer it. */
  senderOf(peer: PeerName): MessageSender {
    return {
      name: peer,
      publicKey: this.#dependencies.keyOf(peer) ?? null,
      reject: (): void => this.#reject(peer),
      reply: (message): void => this.sendTo(peer, message),
    };
  }

  /** Sends a frame to some validators, as far as there is a stream. */
  sendFrame(peers: readonly PeerName[], bytes: Uint8Array): void {
    const { connectionTo } = this.#dependencies;
    for (const peer of peers)
      if (this.#isValidator(peer) && connectionTo(peer) !== undefined) this.#senderTo(peer).send({ bytes, isExpendable: false });
  }

  /** Validators that no sound stream leads to. */
  unreached(): readonly PeerName[] {
    const { validators, connectionTo } = this.#dependencies;
    return validators().filter((peer) => connectionTo(peer) === undefined || !this.#senderTo(peer).isSound);
  }

  /** Opens streams to the validators that are connected, and ends those of former ones. */
  refresh(): void {
    const { validators, connectionTo } = this.#dependencies;
    for (const peer of validators()) if (connectionTo(peer) !== undefined) void this.#senderTo(peer).open();
    for (const peer of this.#senders.keys()) if (!this.#isValidator(peer)) this.forget(peer);
    for (const [stream, peer] of this.#inbound) if (!this.#isValidator(peer)) dropStream(stream, "The peer is no validator any more");
    for (const peer of this.#refusedUntilMs.keys()) if (!this.#isValidator(peer)) this.#refusedUntilMs.delete(peer);
  }

  forget(peer: PeerName): void {
    this.#senders.get(peer)?.close();
    this.#senders.delete(peer);
    this.#meters.delete(peer);
  }

  close(): void {
    for (const sender of this.#senders.values()) sender.close();
    this.#senders.clear();
  }

  #isValidator(peer: PeerName): boolean {
    return this.#dependencies.keyOf(peer) !== undefined;
  }

  #senderTo(peer: PeerName): FrameSender {
    const known = this.#senders.get(peer);
    if (known !== undefined) return known;
    const { protocol, connectionTo, clock } = this.#dependencies;
    const { queuedFrames, queuedBytes } = NETWORK_LIMITS.consensus;
    const openTimeoutMs = NETWORK_LIMITS.dialTimeoutMs;
    const sender = new FrameSender({
      protocol,
      queuedFrames,
      queuedBytes,
      openTimeoutMs,
      clock,
      connection: (): Connection | undefined => connectionTo(peer),
    });
    this.#senders.set(peer, sender);
    return sender;
  }

  #listen(stream: Stream, peer: PeerName): void {
    if (!this.#isValidator(peer)) {
      // Not its fault: it may know of a change of the set before this node does. Gossip reaches this node meanwhile.
      dropStream(stream, "The peer is no validator");
      return;
    }
    if (this.#isRefused(peer)) {
      dropStream(stream, "The peer sent what no honest validator sends");
      return;
    }
    stream.inactivityTimeout = Number.POSITIVE_INFINITY;
    this.#inbound.set(stream, peer);
    readFrames(stream, {
      maxBytes: NETWORK_LIMITS.consensus.frameBytes,
      onFrame: (frame) => {
        if (this.#isRefused(peer) || !this.#take(frame, peer)) dropStream(stream, "The message was malformed");
      },
      onEnd: (problem) => {
        this.#inbound.delete(stream);
        if (problem === "malformed") this.#dependencies.report(peer, "malformed");
        dropStream(stream, "The peer sends no more");
      },
    });
  }

  #take(frame: Uint8Array, peer: PeerName): boolean {
    const { clock, report, onMessage, onPart } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    const meter = this.#meters.get(peer) ?? new FlowMeter(NETWORK_LIMITS.consensus, nowMs);
    this.#meters.set(peer, meter);
    if (!meter.take(frame.length, nowMs)) {
      report(peer, "flood");
      return true;
    }
    if (isPartMessage(frame) && onPart(frame, peer)) return true;
    const message = tryDecodeConsensus(frame, this.#dependencies.pending);
    if (message === undefined) {
      report(peer, "malformed");
      return false;
    }
    onMessage(message, peer, { sender: this.senderOf(peer), bytes: frame.length });
    return true;
  }

  /** What others pass on as its messages still counts: only its own way in is closed. */
  #reject(peer: PeerName): void {
    const { clock, report } = this.#dependencies;
    if (this.#isRefused(peer)) return;
    this.#refusedUntilMs.set(peer, clock.monotonicMs() + NETWORK_LIMITS.consensus.refusalMs);
    for (const [stream, sender] of this.#inbound) if (sender === peer) dropStream(stream, "The peer sent what no honest validator sends");
    report(peer, "invalid");
  }

  #isRefused(peer: PeerName): boolean {
    return (this.#refusedUntilMs.get(peer) ?? 0) > this.#dependencies.clock.monotonicMs();
  }
}
