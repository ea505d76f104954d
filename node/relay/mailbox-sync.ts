// Asks other nodes for what this node's recipients missed: while the node was away, and before a recipient came to it.
import type { MailboxRequest, PeerName, PeerNetwork } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { nodeSource } from "./mail-source.ts";
import type { Relay } from "./relay.ts";

export interface MailboxSyncDependencies {
  readonly network: Pick<PeerNetwork, "peers" | "requestMailbox" | "report" | "partyOf">;
  readonly relay: Pick<Relay, "receive" | "deletions" | "boxes">;
  readonly store: Pick<MailboxRepository, "served">;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** How often it checks whether there is something to ask for, ms. */
export const SYNC_INTERVAL_MS = 5_000;
/** Nodes that are asked; more would bring the same. */
const ASKED_PEERS = 2;
/** Nodes that came while others stayed, and are asked beside those: after a split only they know what passed on the other side. */
const ASKED_RETURNED = 8;
/** Clocks of nodes differ, and the mark of the last gossip is not written at every moment: this much is asked for twice, s. */
const OVERLAP_S = 900;
/** The mark is written once in this time while the node receives gossip, s. */
const MARK_INTERVAL_S = 60;
/** Recipients of one request. */
const REQUEST_RECIPIENTS = 512;
/** Peers whose last visit is remembered. */
const REMEMBERED_PEERS = 1_024;
/** Time of one peer for all that it is asked, ms: one that is slow is asked again after the others. */
export const PEER_TIMEOUT_MS = 300_000;
/** Pages of one range: far more than a mailbox holds. */
const MAX_PAGES = 4_096;

/** Asks when it must; call {@link MailboxSync.poll} now and then. */
export class MailboxSync {
  readonly #dependencies: MailboxSyncDependencies;
  readonly #aborter = new AbortController();
  #asked = new Set<PeerName>();
  #isAway = true;
  /** Peers of the last poll with the start of their connections, ms, and when each was there last, unix seconds. */
  #present: ReadonlyMap<PeerName, number> = new Map();
  readonly #seenAtSec = new Map<PeerName, number>();
  /** Peers that came (back) and were not asked yet, and since when what they know may have passed this node by. */
  #returned: readonly PeerName[] = [];
  /** Those of them that came while others stayed. */
  #otherSide: readonly PeerName[] = [];
  #missedSinceSec = Number.POSITIVE_INFINITY;
  #isRunning = false;

  constructor(dependencies: MailboxSyncDependencies) {
    this.#dependencies = dependencies;
  }

  /** Asks when a recipient may have missed something. Never rejects. */
  async poll(): Promise<void> {
    if (this.#isRunning || this.#aborter.signal.aborted) return;
    this.#isRunning = true;
    try {
      await this.#pollOnce();
    } catch (error) {
      this.#dependencies.log.error({ err: error }, "Requesting missed messages failed");
    } finally {
      this.#isRunning = false;
    }
  }

  stop(): void {
    this.#aborter.abort();
  }

  async #pollOnce(): Promise<void> {
    const { network, store, clock } = this.#dependencies;
    const nowSec = Math.floor(clock.nowMs() / 1000);
    const found = network.peers();
    const connections = new Map(found.map(({ name, connectedAtMs }) => [name, connectedAtMs]));
    const peers = [...connections.keys()];
    // Anyone can connect, and say that there is nothing: those that this node chose are asked before those that came.
    const strangers = new Set(found.filter(({ direction }) => direction === "inbound").map(({ name }) => name));
    this.#noticeReturns(connections, nowSec);
    if (peers.length === 0) {
      this.#isAway = true;
      this.#asked.clear();
      return;
    }
    const all = store.served.list();
    const fresh = all.filter(({ isSynced }) => !isSynced);
    if (!this.#isAway && fresh.length === 0) {
      if (nowSec - store.served.onlineAtSec >= MARK_INTERVAL_S) store.served.markSynced([], nowSec);
      return;
    }
    const known = this.#isAway ? all.filter(({ isSynced }) => isSynced) : [];
    const inTurn = [...this.#returned, ...peers];
    const ranges = [
      { recipients: fresh.map(({ recipientPub }) => recipientPub), since: 0 },
      { recipients: known.map(({ recipientPub }) => recipientPub), since: this.#awaySinceSec() },
    ];
    const chosenFirst = [...inTurn.filter((peer) => !strangers.has(peer)), ...inTurn.filter((peer) => strangers.has(peer))];
    const responded = await this.#askSome(chosenFirst, ranges);
    await this.#askOtherSide(ranges);
    if (responded < Math.min(ASKED_PEERS, peers.length)) return;
    this.#isAway = false;
    this.#asked.clear();
    this.#returned = [];
    this.#otherSide = [];
    this.#missedSinceSec = Number.POSITIVE_INFINITY;
    store.served.markSynced(
      fresh.map(({ recipientPub }) => recipientPub),
      nowSec,
    );
  }

  /** A network may have been split while some peers stayed connected: those of the other side know what it missed. */
  #noticeReturns(connections: ReadonlyMap<PeerName, number>, nowSec: number): void {
    const peers = [...connections.keys()];
    // A peer that went and came back between two polls has a new connection.
    const returned = peers.filter((peer) => this.#present.get(peer) !== connections.get(peer));
    for (const peer of returned) {
      this.#isAway = true;
      this.#missedSinceSec = Math.min(this.#missedSinceSec, this.#seenAtSec.get(peer) ?? this.#missedSinceSec);
    }
    const isHere = (peer: PeerName): boolean => connections.has(peer);
    this.#returned = [...new Set([...this.#returned.filter(isHere), ...returned])];
    if (returned.length < peers.length) this.#otherSide = [...new Set([...this.#otherSide.filter(isHere), ...returned])];
    // A peer that came back may have responded in this round before it went.
    for (const peer of returned) this.#asked.delete(peer);
    this.#present = connections;
    for (const peer of peers) {
      this.#seenAtSec.delete(peer);
      this.#seenAtSec.set(peer, nowSec);
    }
    for (const peer of [...this.#seenAtSec.keys()].slice(0, Math.max(0, this.#seenAtSec.size - REMEMBERED_PEERS)))
      this.#seenAtSec.delete(peer);
  }

  #awaySinceSec(): number {
    return Math.max(0, Math.min(this.#dependencies.store.served.onlineAtSec, this.#missedSinceSec) - OVERLAP_S);
  }

  /** Asks peers that were not asked in this round; gives how many have responded in it. */
  async #askSome(peers: readonly PeerName[], ranges: readonly MissedRange[]): Promise<number> {
    for (const peer of peers) {
      if (this.#asked.size >= ASKED_PEERS) break;
      if (!this.#asked.has(peer) && (await this.#askAll(peer, ranges))) this.#asked.add(peer);
    }
    return this.#asked.size;
  }

  /** Once each, at the same time: a stranger that came back too keeps the others waiting no longer than itself. */
  async #askOtherSide(ranges: readonly MissedRange[]): Promise<void> {
    const peers = this.#otherSide.filter((peer) => !this.#asked.has(peer)).slice(0, ASKED_RETURNED);
    await Promise.all(peers.map((peer) => this.#askAll(peer, ranges)));
  }

  async #askAll(peer: PeerName, ranges: readonly MissedRange[]): Promise<boolean> {
    const ending = new AbortController();
    const end = (): void => ending.abort(new CodedError("UPSTREAM_FAILED", "The node took too long"));
    const cancel = this.#dependencies.timers.setTimer(PEER_TIMEOUT_MS, end);
    this.#aborter.signal.addEventListener("abort", end);
    try {
      for (const { recipients, since } of ranges)
        for (let at = 0; at < recipients.length; at += REQUEST_RECIPIENTS)
          await this.#ask(peer, { recipients: recipients.slice(at, at + REQUEST_RECIPIENTS), since }, ending.signal);
      return true;
    } catch (error) {
      this.#dependencies.log.debug({ err: error, peer }, "A node did not report what was missed");
      return false;
    } finally {
      cancel();
      this.#aborter.signal.removeEventListener("abort", end);
    }
  }

  async #ask(peer: PeerName, range: MissedRange, signal: AbortSignal): Promise<void> {
    const { network, relay } = this.#dependencies;
    let cursor: string | null = null;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const response = await network.requestMailbox(peer, { ...range, cursor }, signal);
      const { envelopes, admits, openings, deletions } = response;
      const source = nodeSource(network, peer);
      const isProven = (await relay.boxes.learn(openings, source)) && (await relay.deletions.learn(deletions));
      if (!isProven || (envelopes.length > 0 && (await relay.receive(envelopes, source, admits)) === "reject")) {
        network.report(peer, "invalid");
        return;
      }
      if (response.cursor === null) return;
      if (response.cursor === cursor) {
        network.report(peer, "malformed");
        return;
      }
      cursor = response.cursor;
    }
  }
}

type MissedRange = Omit<MailboxRequest, "cursor">;
