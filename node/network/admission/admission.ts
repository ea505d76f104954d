// Who may be connected: the gate with all that it decides by. It is made before libp2p, which asks it, and attached to the connections after.
import { createHash } from "node:crypto";
import type { Connection, ConnectionGater } from "@libp2p/interface";
import type { Multiaddr } from "@multiformats/multiaddr";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { InboundMeter, type MeteredConnection } from "../flow/inbound-meter.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { PeerName } from "../peer-network.ts";
import { createConnectionGate } from "./connection-gate.ts";
import type { EvictionContext } from "./eviction.ts";
import { HandshakePacer } from "./handshake-pacer.ts";
import { InboundSlots, type PeerWorth } from "./inbound-slots.ts";
import { PeerScores } from "./peer-scores.ts";
import { PendingSockets } from "./pending-sockets.ts";

export interface AdmissionDependencies {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Processor time of this thread, ms. */
  readonly workedMs: () => number;
  readonly isValidator: (peer: PeerName) => boolean;
  /** Bootstrap and reserved peers. */
  readonly named: ReadonlySet<PeerName>;
  readonly mayDial: (address: Multiaddr) => boolean;
  /** Whether limits by address apply to addresses that are not public. */
  readonly limitsLocal: boolean;
  /** Orders networks in a way that no stranger can foresee. */
  readonly secret: Uint8Array;
}

/** The connections that admission is about. */
export interface AdmittedConnections {
  all(): readonly Connection[];
  worthOf(connection: Connection): PeerWorth;
  /** When a peer was the first to bring a block or a transaction; monotonic, ms, −∞ for never. */
  lastUseMs(peer: PeerName): number;
  /** True for a keeper whose connection is in use for mail. */
  isForMail(peer: PeerName): boolean;
  end(connection: Connection, why: string): void;
}

/** Connections that were let in or not, since the start. */
export interface AdmissionFigures {
  /** Connections that made room for others. */
  readonly evicted: number;
  /** Connections for which there was no slot. */
  readonly refused: number;
  /** Sockets that waited too long in their handshake while others wanted in. */
  readonly displaced: number;
  readonly bannedPeers: number;
  readonly bannedHosts: number;
  readonly bannedSubnets: number;
}

/** Scores, slots and the gate. */
export class Admission {
  readonly scores: PeerScores;
  readonly gate: ConnectionGater;
  readonly #dependencies: AdmissionDependencies;
  readonly #pending = new PendingSockets();
  readonly #slots: InboundSlots;
  readonly #meter: InboundMeter;
  #connections: AdmittedConnections | undefined;

  constructor(dependencies: AdmissionDependencies) {
    this.#dependencies = dependencies;
    const { clock, timers, workedMs, isValidator, mayDial, limitsLocal, secret } = dependencies;
    const isExempt = (peer: PeerName): boolean => this.isExempt(peer);
    const isUseful = (peer: PeerName): boolean => this.isUseful(peer);
    this.#meter = new InboundMeter({ clock, timers, workedMs, isExempt, isUseful });
    this.scores = new PeerScores({ clock, isValidator, isExempt, limitsLocal });
    this.#slots = new InboundSlots({
      connections: (): readonly Connection[] => this.#connections?.all() ?? [],
      isExempt,
      limitsLocal,
      worthOf: (connection): PeerWorth => this.#attached().worthOf(connection),
      context: (): EvictionContext => ({ nowMs: clock.monotonicMs(), rankOf: (group): number => rankOf(secret, group) }),
      end: (connection, why): void => this.#attached().end(connection, why),
    });
    this.gate = createConnectionGate({
      clock,
      isExempt,
      mayDial,
      limitsLocal,
      pending: this.#pending,
      pacer: new HandshakePacer({ clock, timers }),
      meter: this.#meter,
      isBanned: (peer): boolean => this.scores.isBanned(peer),
      isSourceBanned: (source): boolean => this.scores.isSourceBanned(source),
      admit: (peer, address): boolean => this.#slots.admit(peer, address),
      admitExempt: (peer): void => this.#slots.admitExempt(peer),
    });
  }

  get figures(): AdmissionFigures {
    const { evictions, refusals } = this.#slots.figures;
    const { peers, hosts, subnets } = this.scores.bans;
    return {
      evicted: evictions,
      refused: refusals,
      displaced: this.#pending.displaced,
      bannedPeers: peers,
      bannedHosts: hosts,
      bannedSubnets: subnets,
    };
  }

  /** Connections that are not read at the moment: their addresses, or strangers in all, send too much. */
  get unread(): number {
    return this.#meter.waiting;
  }

  attach(connections: AdmittedConnections): void {
    this.#connections = connections;
  }

  /** True for peers that take no slot: the chain needs them, or the operator named them. */
  isExempt(peer: PeerName): boolean {
    return this.#dependencies.named.has(peer) || this.#dependencies.isValidator(peer);
  }

  /** True for a peer that was the first with a block or a transaction lately. */
  isUseful(peer: PeerName): boolean {
    const lastUseMs = this.#connections?.lastUseMs(peer) ?? Number.NEGATIVE_INFINITY;
    return this.#dependencies.clock.monotonicMs() - lastUseMs < NETWORK_LIMITS.usefulMs;
  }

  /** Whether limits by address apply to addresses that are not public. */
  get limitsLocal(): boolean {
    return this.#dependencies.limitsLocal;
  }

  /** Bytes that came over a connection were requested, or of use: they count against no rate. */
  credit(connection: Connection, bytes: number): void {
    const { maConn } = connection as unknown as { readonly maConn?: MeteredConnection };
    if (maConn !== undefined) this.#meter.credit(maConn, bytes);
  }

  /** Outbound connections that count against their limit, oldest first. */
  outbound(): readonly Connection[] {
    const counts = (peer: PeerName): boolean => !this.isExempt(peer) && this.#connections?.isForMail(peer) !== true;
    return (this.#connections?.all() ?? [])
      .filter(({ direction, remotePeer }) => direction === "outbound" && counts(remotePeer.toString()))
      .sort((a, b) => a.timeline.open - b.timeline.open);
  }

  /** Ends what is too much. */
  maintain(): void {
    this.#slots.maintain();
  }

  #attached(): AdmittedConnections {
    if (this.#connections === undefined) throw new TypeError("Admission is not attached");
    return this.#connections;
  }
}

function rankOf(secret: Uint8Array, group: string): number {
  return createHash("sha256").update(secret).update(group).digest().readUIntBE(0, 6);
}
