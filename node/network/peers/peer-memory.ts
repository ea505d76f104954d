// What a node knows of other nodes beyond its connections: the book of addresses, anchors and scores, and their file.
import { randomBytes } from "node:crypto";
import type { Multiaddr } from "@multiformats/multiaddr";
import type { Log } from "#node/observability/log.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import type { Clock } from "#shared/util/clock.ts";
import { AddressBook, type ReportedAddress } from "../addresses/address-book.ts";
import { type DialTarget, dialTargetOf, endpointOf } from "../addresses/dial-target.ts";
import { providerOf, rangeOf } from "../addresses/ip-address.ts";
import { sourceOf } from "../addresses/peer-source.ts";
import type { PeerScores } from "../admission/peer-scores.ts";
import { PEER_LIMITS } from "../peer-limits.ts";
import type { PeerName } from "../peer-network.ts";
import { readPeerFile, writePeerFile } from "./peer-file.ts";

export interface PeerMemoryDependencies {
  /** Undefined to remember nothing between two runs. */
  readonly path: string | undefined;
  readonly own: PeerName;
  readonly scores: PeerScores;
  readonly mayDial: (address: Multiaddr) => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

const KEY_BYTES = 32;

/** Reads its file when it is made. */
export class PeerMemory {
  readonly book: AddressBook;
  /** Multiaddresses of the peers to meet first. */
  readonly anchors: readonly string[];
  readonly #dependencies: PeerMemoryDependencies;
  readonly #key: Uint8Array;

  constructor(dependencies: PeerMemoryDependencies) {
    this.#dependencies = dependencies;
    const { path, clock, scores } = dependencies;
    const records = path === undefined ? undefined : readPeerFile(path);
    this.#key = records === undefined ? new Uint8Array(randomBytes(KEY_BYTES)) : fromHex(records.key);
    const random = (): number => randomBytes(4).readUInt32BE() / 2 ** 32;
    this.book = new AddressBook({ key: this.#key, random, nowMs: (): number => clock.nowMs() });
    this.anchors = records?.anchors ?? [];
    if (records === undefined) return;
    this.book.restore(records.addresses);
    // A clock that was set back forgives nothing.
    scores.restore(records.scores, Math.max(0, clock.nowMs() - records.savedAtMs));
  }

  /** Takes addresses that a peer reported of itself or of another one. */
  learn(peer: PeerName, addresses: readonly Multiaddr[], from: Multiaddr | undefined): void {
    if (peer === this.#dependencies.own) return;
    const source = (from === undefined ? undefined : sourceOf(from)?.provider) ?? "relayed";
    const dialable = addresses.filter((address) => this.#dependencies.mayDial(address));
    for (const address of dialable.slice(0, PEER_LIMITS.addressesPerPeer)) {
      const reported = reportOf(peer, address, source);
      if (reported !== undefined) this.book.add(reported);
    }
  }

  /** A peer was reached at an address. */
  reached(peer: PeerName, address: Multiaddr): void {
    const reported = reportOf(peer, address, sourceOf(address)?.provider ?? "own");
    if (reported !== undefined) this.book.reached(reported);
  }

  /** Writes the file. What cannot be written is of no use to anyone but the next run. */
  save(anchors: readonly string[]): void {
    const { path, clock, scores, log } = this.#dependencies;
    if (path === undefined) return;
    try {
      writePeerFile(path, {
        savedAtMs: clock.nowMs(),
        key: toHex(this.#key),
        addresses: this.book.entries,
        anchors: anchors.filter(({ length }) => length <= PEER_LIMITS.addressBytes).slice(0, PEER_LIMITS.anchors),
        scores: scores.saved(),
      });
    } catch (error) {
      log.warn({ err: error }, "What is known of other nodes could not be written");
    }
  }
}

function reportOf(peer: PeerName, address: Multiaddr, source: string): ReportedAddress | undefined {
  const endpoint = endpointOf(address);
  const group = groupOf(dialTargetOf(address), endpoint);
  return group === undefined || endpoint.length > PEER_LIMITS.addressBytes ? undefined : { address: endpoint, peer, group, source };
}

/** The party that an address belongs to; of private ones each is its own. Addresses through relays last for a moment only. */
function groupOf(target: DialTarget | undefined, endpoint: string): string | undefined {
  if (target?.kind === "name") return target.name;
  if (target?.kind !== "ip") return undefined;
  return rangeOf(target.ip) === "public" ? providerOf(target.ip) : endpoint;
}
