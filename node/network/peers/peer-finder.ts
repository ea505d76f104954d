// Fills up outbound connections from the book of addresses, tests addresses of it now and then, and ends connections that are too many.
import type { Connection, Libp2p, PeerId } from "@libp2p/interface";
import { type Multiaddr, multiaddr } from "@multiformats/multiaddr";
import type { Clock } from "#shared/util/clock.ts";
import { type BookEntry, distanceMs } from "../addresses/address-book.ts";
import { sourceOf } from "../addresses/peer-source.ts";
import type { Admission } from "../admission/admission.ts";
import { RecentSet } from "../flow/recent-set.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import { PEER_LIMITS } from "../peer-limits.ts";
import type { PeerMemory } from "./peer-memory.ts";

export interface PeerFinderDependencies {
  readonly libp2p: Libp2p;
  readonly clock: Clock;
  readonly admission: Admission;
  readonly memory: PeerMemory;
}

/** Dials at once. */
const PARALLEL_DIALS = 4;
/** An address is not dialled again for this long, ms. */
const PAUSE_MS = 10_000;
/** One that did not respond, for this long, ms. */
const FAILED_MS = 60_000;
/** With fewer connections than this, two to one provider are better than none. */
const FEW_CONNECTIONS = NETWORK_LIMITS.outboundTarget / 2;

const NAMES = "names";

/** Finds peers to connect to. */
export class PeerFinder {
  readonly #dependencies: PeerFinderDependencies;
  /** What is being dialled, by peer or address, with the group that it has in the book. */
  readonly #dialling = new Map<string, string | undefined>();
  #anchors: readonly Multiaddr[];
  #failed = new RecentSet(1_024);
  #failedSinceMs: number;
  #feltAtMs: number;

  constructor(dependencies: PeerFinderDependencies) {
    this.#dependencies = dependencies;
    const nowMs = dependencies.clock.monotonicMs();
    this.#failedSinceMs = nowMs;
    this.#feltAtMs = nowMs;
    this.#anchors = dependencies.memory.anchors.flatMap(parsed);
  }

  /** A neighbour on the local network: it is dialled at once when there is room. */
  foundNear(peer: PeerId): void {
    const name = peer.toString();
    const { libp2p, admission } = this.#dependencies;
    if (admission.scores.isBanned(name) || this.#failed.has(name) || libp2p.getConnections(peer).length > 0) return;
    if (this.#dialling.size >= PARALLEL_DIALS || this.#outbound() >= NETWORK_LIMITS.outboundConnections) return;
    void this.#dial(name, () => libp2p.dial(peer, inTime())).then((isReached) => isReached || this.#failed.add(name));
  }

  /** Dials while there are few connections, tests an address when it is time, and ends the youngest of too many. */
  maintain(): void {
    const { clock, admission } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#failedSinceMs > FAILED_MS) {
      this.#failed = new RecentSet(1_024);
      this.#failedSinceMs = nowMs;
    }
    for (const each of admission.outbound().slice(NETWORK_LIMITS.outboundConnections)) void each.close().catch(() => undefined);
    const anchors = this.#anchors;
    this.#anchors = [];
    for (const anchor of anchors) void this.#dial(anchor.toString(), () => this.#dependencies.libp2p.dial(anchor, inTime()));
    if (this.#outbound() < NETWORK_LIMITS.outboundTarget) this.#fill();
    else if (nowMs - this.#feltAtMs >= PEER_LIMITS.feelerIntervalMs) {
      this.#feltAtMs = nowMs;
      this.#feel();
    }
  }

  #fill(): void {
    const { book } = this.#dependencies.memory;
    while (this.#dialling.size < PARALLEL_DIALS && this.#outbound() < NETWORK_LIMITS.outboundTarget) {
      const taken = new Set([...this.#providers(), ...this.#dialling.values()]);
      const isAllowed = (entry: BookEntry): boolean => this.#isFree(entry);
      const isElsewhere = (entry: BookEntry): boolean => !taken.has(groupOf(entry)) && this.#isFree(entry);
      const elsewhere = book.pick({ isNew: false, isAllowed: isElsewhere });
      if (elsewhere !== undefined) {
        void this.#dialEntry(elsewhere).then(() => this.#endDoubled(elsewhere));
        continue;
      }
      const any = this.#outbound() < FEW_CONNECTIONS ? book.pick({ isNew: false, isAllowed }) : undefined;
      if (any === undefined) return;
      void this.#dialEntry(any);
    }
  }

  /** A name shows only now whose it is: its connection ends when there is one to the same provider. */
  #endDoubled(entry: BookEntry): void {
    if (groupOf(entry) !== NAMES) return;
    const [own = [], others = []] = [true, false].map((isOwn) =>
      this.#dependencies.admission.outbound().filter(({ remotePeer }) => (remotePeer.toString() === entry.peer) === isOwn),
    );
    const taken = new Set(others.map(providerOf));
    for (const each of own) if (taken.has(providerOf(each))) void each.close().catch(() => undefined);
  }

  /** Connects to a reported address only to see whether it is one. */
  #feel(): void {
    const { admission, memory } = this.#dependencies;
    const entry = memory.book.pick({ isNew: true, isAllowed: (each) => this.#isFree(each) });
    if (entry === undefined) return;
    void this.#dialEntry(entry).then(() => {
      if (admission.outbound().length <= NETWORK_LIMITS.outboundTarget) return;
      const tested = admission.outbound().filter(({ remotePeer }) => remotePeer.toString() === entry.peer);
      for (const each of tested) void each.close().catch(() => undefined);
    });
  }

  async #dialEntry(entry: BookEntry): Promise<boolean> {
    this.#dependencies.memory.book.attempted(entry.address);
    const [address] = parsed(`${entry.address}/p2p/${entry.peer}`);
    if (address === undefined) return false;
    const isReached = await this.#dial(entry.peer, () => this.#dependencies.libp2p.dial(address, inTime()), groupOf(entry));
    if (isReached) this.#dependencies.memory.book.answered(entry.address);
    return isReached;
  }

  async #dial(name: string, dial: () => Promise<unknown>, group?: string): Promise<boolean> {
    this.#dialling.set(name, group);
    try {
      await dial();
      return true;
    } catch {
      return false;
    } finally {
      this.#dialling.delete(name);
    }
  }

  #isFree({ peer, triedAtMs, failures }: BookEntry): boolean {
    const { admission, clock, libp2p } = this.#dependencies;
    const pauseMs = failures > 0 ? FAILED_MS : PAUSE_MS;
    if (distanceMs(clock.nowMs(), triedAtMs) < pauseMs || this.#dialling.has(peer) || admission.scores.isBanned(peer)) return false;
    return !libp2p.getConnections().some(({ remotePeer }) => remotePeer.toString() === peer);
  }

  /** Providers of the addresses that this node is connected to by its own choice. */
  #providers(): ReadonlySet<string> {
    const { admission } = this.#dependencies;
    return new Set(admission.outbound().flatMap((each) => providerOf(each) ?? []));
  }

  #outbound(): number {
    return this.#dependencies.admission.outbound().length + this.#dialling.size;
  }
}

/** The party of an entry. All names are one: where they lead shows when they are dialled. */
function groupOf({ address, group }: BookEntry): string {
  return address.startsWith("/dns") ? NAMES : group;
}

function providerOf({ remoteAddr }: Connection): string | undefined {
  return sourceOf(remoteAddr)?.provider;
}

function inTime(): { readonly signal: AbortSignal } {
  return { signal: AbortSignal.timeout(NETWORK_LIMITS.dialTimeoutMs) };
}

function parsed(address: string): Multiaddr[] {
  try {
    return [multiaddr(address)];
  } catch {
    return [];
  }
}
